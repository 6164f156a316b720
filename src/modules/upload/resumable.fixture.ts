import type { InjectOptions } from 'fastify';

type Headers = { authorization?: string };

/** Builds the request that creates a resumable upload. */
export const createUploadRequest = (size: number, name: string, headers: Headers): InjectOptions => ({
  method: 'POST',
  url: '/api/v1/upload/resumable',
  headers: {
    ...headers,
    'tus-resumable': '1.0.0',
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
  },
});

/** Builds the request that sends bytes from `offset`. */
export const uploadPartRequest = (url: string, offset: number, bytes: Buffer, headers: Headers): InjectOptions => ({
  method: 'PATCH',
  url,
  payload: bytes,
  headers: {
    ...headers,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  },
});
