import { pipeline, type Readable, Transform } from 'node:stream';
import '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';

export type ReceivedFile = { name: string; mimeType: string; stream: Readable };

/** How long a client may go on sending what we no longer read, so that it still gets our answer. */
const LINGER_MS = 2_000;

/** Opens the one file of a multipart request. The stream fails with 413 past the limit. */
export async function receiveFile(request: FastifyRequest, { maxBytes }: { maxBytes: number }): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw httpErrors.unsupportedType('请以 multipart/form-data 方式上传文件');
  const part = await firstPart(request, {
    // One byte more than allowed: the limit itself is ours to judge, below.
    limits: { fileSize: maxBytes + 1, files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 },
  });
  if (part?.fieldname !== 'file') {
    letGo(request);
    throw httpErrors.invalidInput('请选择要上传的文件');
  }
  const limited = limitTo(maxBytes);
  // Errors reach whoever reads `limited`; here only the rest of the request is let go.
  pipeline(part.file, limited, (error) => error && letGo(request));
  return { name: part.filename, mimeType: part.mimetype, stream: limited };
}

/** The parser's own errors carry no status; all of them are about what the client sent. */
async function firstPart(request: FastifyRequest, options: Parameters<typeof request.file>[0]) {
  try {
    return await request.file(options);
  } catch (error) {
    letGo(request);
    if (((error as Partial<FastifyError>).statusCode ?? 0) >= 400) throw error;
    request.log.debug({ err: error }, 'a multipart body could not be read');
    throw httpErrors.badRequest('上传的内容不完整或格式不正确，请重新上传');
  }
}

function limitTo(maxBytes: number): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      received += chunk.length;
      if (received > maxBytes) done(httpErrors.tooLarge('文件过大'));
      else done(null, chunk);
    },
  });
}

/** Reads and drops what is still coming, for a moment; then the connection is cut. */
function letGo({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
  setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, LINGER_MS).unref();
}
