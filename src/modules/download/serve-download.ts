import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originalKey } from '#modules/content/content-keys.ts';
import { contentTypeOf } from '#modules/document/content-types.ts';
import { attachmentHeader, fileName } from '#modules/document/file-name.ts';
import type { Context } from '#platform/server/context.ts';
import { STREAM_TIMEOUT_MS, sendStored } from '#platform/server/send-stored.ts';
import { downloadErrors } from './download.contract.ts';
import { openLink } from './download-link.ts';

type Request = FastifyRequest<{ Params: { id: string }; Querystring: { e?: string; s?: string } }>;

/** Original files, to be kept and never opened on this site. The link itself is the right to have one. */
export async function serveDownload(app: FastifyInstance, { ctx }: { ctx: Context }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/download/:id',
    // Byte ranges count bytes as stored.
    compress: false,
    handlerTimeout: STREAM_TIMEOUT_MS,
    handler: async (request: Request, reply) => {
      const { e: expires = '', s: signature = '' } = request.query;
      const { id, title, ext, hash } = await openLink(ctx, {
        id: request.params.id,
        expires: String(expires),
        signature: String(signature),
      });
      const found = await ctx.storage.stat(originalKey(hash));
      if (!found) throw downloadErrors.fileMissing();
      reply.headers({
        'content-type': contentTypeOf(ext),
        'content-disposition': attachmentHeader(fileName(title, ext), id),
        'cache-control': 'private, no-store',
      });
      const stored = { key: originalKey(hash), size: found.size, etag: `"${hash}"` };
      return sendStored(ctx.storage, stored, request, reply);
    },
  });
}
