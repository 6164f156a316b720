import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Storage } from '../storage/open-storage.ts';

/** Allows a large file over a slow connection. */
export const FILE_STREAM_TIMEOUT_MS = 2 * 60 * 60 * 1000;

type Range = { start: number; end: number };

/** Parses a Range header with one range. Returns null for the whole file, `unsatisfiable` for a range outside of it. */
export function parseRange(header: string | undefined, size: number): Range | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return null;
  // "-n" means the last n bytes.
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null;
  return start < size && start <= end ? { start, end } : 'unsatisfiable';
}

type StoredFile = { key: string; size: number; etag: string };

/** Serves GET and HEAD, with ranges. The headers keep browsers from running the file as a page of this site. */
export async function sendStoredFile(
  storage: Storage,
  { key, size, etag }: StoredFile,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
    'accept-ranges': 'bytes',
    etag,
  });
  const ifRange = request.headers['if-range'];
  const isCurrent = ifRange === undefined || ifRange === etag;
  const range = isCurrent ? parseRange(request.headers.range, size) : null;
  if (range === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${size}`).send();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  reply.header('content-length', end - start + 1);
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`);
  if (request.method === 'HEAD') return reply.send();
  const { stream } = await storage.get(key, range ?? {});
  return reply.send(stream);
}
