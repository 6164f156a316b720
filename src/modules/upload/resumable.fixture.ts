import type { InjectOptions } from 'fastify';

type Headers = { authorization?: string };

/** The request that announces a resumable upload. */
export const createUpload = (size: number, name: string, headers: Headers): InjectOptions => ({
  method: 'POST',
  url: '/api/v1/upload/resumable',
  headers: {
    ...headers,
    'tus-resumable': '1.0.0',
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
  },
});

/** The request that sends bytes of it, beginning at `offset`. */
export const uploadPart = (url: string, offset: number, bytes: Buffer, headers: Headers): InjectOptions => ({
  method: 'PATCH',
  url,
  payload: bytes,
  headers: {
    ...headers,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  },
});
