import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';
import { FILE_STREAM_TIMEOUT_MS, sendStoredFile } from '#platform/server/http/send-stored-file.ts';
import type { Storage } from '#platform/server/storage/open-storage.ts';
import { parsePictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';

const matchesEtag = (header: string | undefined, etag: string) =>
  header === '*' || (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

/** Serves uploaded pictures. Their URL contains the hash of the content, so they never change. */
export async function serveUploads(app: FastifyInstance, { storage }: { storage: Storage }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/uploads/*',
    // Pictures are already compressed, and byte ranges refer to the stored bytes.
    compress: false,
    handlerTimeout: FILE_STREAM_TIMEOUT_MS,
    handler: (request, reply) => sendUploadedPicture(storage, request, reply),
  });
}

async function sendUploadedPicture(storage: Storage, request: FastifyRequest, reply: FastifyReply) {
  const file = parsePictureUploadPath(`/uploads/${(request.params as { '*': string })['*']}`);
  const storedFile = file && (await storage.stat(file.key));
  if (!file || !storedFile) throw httpErrors.notFound('文件不存在');
  const etag = `"${file.hash}"`;
  reply.headers({
    'content-type': file.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
  });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.header('etag', etag).status(304).send();
  return sendStoredFile(storage, { key: file.key, size: storedFile.size, etag }, request, reply);
}
