import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Storage } from '#platform/server/storage/storage.ts';
import { parseUploadPath } from '#platform/server/upload-path.ts';

type Range = { start: number; end: number };

/** One range of bytes; null for the whole, `unsatisfiable` when it lies outside. */
export function parseRange(
  header: string | undefined,
  size: number,
): Range | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return null;
  // "-n" means the last n bytes.
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null;
  return start < size && start <= end ? { start, end } : 'unsatisfiable';
}

const isSame = (header: string | undefined, etag: string) =>
  header === '*' ||
  (header ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag);

/** GET and HEAD of uploaded pictures. Their address names their content, so they never change. */
export async function serveUploads(app: FastifyInstance, { storage }: { storage: Storage }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/uploads/*',
    // Pictures are compressed already, and byte ranges count bytes as stored.
    compress: false,
    handler: (request, reply) => send(storage, request, reply),
  });
}

async function send(storage: Storage, request: FastifyRequest, reply: FastifyReply) {
  const file = parseUploadPath(`/uploads/${(request.params as { '*': string })['*']}`);
  const found = file && (await storage.stat(file.key));
  if (!file || !found) throw httpErrors.notFound('文件不存在');
  const etag = `"${file.hash}"`;
  reply.headers({
    'content-type': file.contentType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag,
  });
  if (isSame(request.headers['if-none-match'], etag)) return reply.status(304).send();
  const ifRange = request.headers['if-range'];
  const isCurrent = ifRange === undefined || ifRange === etag;
  const range = isCurrent ? parseRange(request.headers.range, found.size) : null;
  if (range === 'unsatisfiable')
    return reply.status(416).header('content-range', `bytes */${found.size}`).send();
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  reply.header('content-length', end - start + 1);
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end}/${found.size}`);
  if (request.method === 'HEAD') return reply.send();
  const { stream } = await storage.get(file.key, range ?? {});
  return reply.send(stream);
}
