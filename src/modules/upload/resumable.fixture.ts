import type { InjectOptions } from 'fastify';

type Headers = { authorization?: string };

export const TUS_HEADERS = { 'tus-resumable': '1.0.0' };

export const createUploadRequest = (size: number, name: string, headers: Headers): InjectOptions => ({
  method: 'POST',
  url: '/api/v1/upload/resumable',
  headers: {
    ...headers,
    ...TUS_HEADERS,
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
  },
});

/** Builds the request that asks for the offset of an upload. */
export const uploadStatusRequest = (url: string, headers: Headers): InjectOptions => ({
  method: 'HEAD',
  url,
  headers: { ...headers, ...TUS_HEADERS },
});

export const cancelUploadRequest = (url: string, headers: Headers): InjectOptions => ({
  method: 'DELETE',
  url,
  headers: { ...headers, ...TUS_HEADERS },
});

/** Builds the request that sends bytes from `offset`. */
export const uploadPartRequest = (url: string, offset: number, bytes: Buffer, headers: Headers): InjectOptions => ({
  method: 'PATCH',
  url,
  payload: bytes,
  headers: {
    ...headers,
    ...TUS_HEADERS,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  },
});
