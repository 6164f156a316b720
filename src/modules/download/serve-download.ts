import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originalKey } from '#modules/content/content-keys.ts';
import { parseRange } from '#modules/file/serve-uploads.ts';
import type { Context } from '#platform/server/context.ts';
import { contentTypeOf } from './content-types.ts';
import { downloadErrors } from './download.contract.ts';
import { openLink } from './download-link.ts';
import { attachmentHeader, fileName } from './file-name.ts';

/** A large file over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 2 * 60 * 60 * 1000;

type Request = FastifyRequest<{ Params: { id: string }; Querystring: { e?: string; s?: string } }>;

/** Original files, to be kept and never opened on this site. The link itself is the right to have one. */
export async function serveDownload(app: FastifyInstance, { ctx }: { ctx: Context }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/download/:id',
    // Byte ranges count bytes as stored.
    compress: false,
    handlerTimeout: DOWNLOAD_TIMEOUT_MS,
    handler: async (request: Request, reply) => {
      const { e: expires = '', s: signature = '' } = request.query;
      const { id, title, ext, hash } = await openLink(ctx, {
        id: request.params.id,
        expires: String(expires),
        signature: String(signature),
      });
      const found = await ctx.storage.stat(originalKey(hash));
      if (!found) throw downloadErrors.fileMissing();
      const etag = `"${hash}"`;
      reply.headers({
        'content-type': contentTypeOf(ext),
        'content-disposition': attachmentHeader(fileName(title, ext), id),
        'x-content-type-options': 'nosniff',
        'content-security-policy': `default-src 'none'; sandbox`,
        'cache-control': 'private, no-store',
        'accept-ranges': 'bytes',
        etag,
      });
      const ifRange = request.headers['if-range'];
      const isCurrent = ifRange === undefined || ifRange === etag;
      const range = isCurrent ? parseRange(request.headers.range, found.size) : null;
      if (range === 'unsatisfiable')
        return reply.status(416).header('content-range', `bytes */${found.size}`).send();
      const { start, end } = range ?? { start: 0, end: found.size - 1 };
      reply.header('content-length', end - start + 1);
      if (range) reply.status(206).header('content-range', `bytes ${start}-${end}/${found.size}`);
      if (request.method === 'HEAD') return reply.send();
      const { stream } = await ctx.storage.get(originalKey(hash), range ?? {});
      return reply.send(stream);
    },
  });
}
