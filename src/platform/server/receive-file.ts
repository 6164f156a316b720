import type { Readable } from 'node:stream';
import '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';

export type ReceivedFile = { name: string; mimeType: string; stream: Readable };

/** Opens the one file of a multipart request. The stream fails with 413 past the limit. */
export async function receiveFile(
  request: FastifyRequest,
  { maxBytes }: { maxBytes: number },
): Promise<ReceivedFile> {
  if (!request.isMultipart())
    throw httpErrors.unsupportedType('请以 multipart/form-data 方式上传文件');
  const part = await request.file({
    limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 },
  });
  if (part?.fieldname !== 'file') throw httpErrors.invalidInput('请选择要上传的文件');
  part.file.on('limit', () => part.file.destroy(httpErrors.tooLarge('文件过大')));
  return { name: part.filename, mimeType: part.mimetype, stream: part.file };
}
