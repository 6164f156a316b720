import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkViewUrl } from '#modules/document/view-urls.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';

type Request = FastifyRequest<{ Params: { '*': string }; Querystring: { e?: string; s?: string } }>;

/** Pictures of documents. The link itself is the right to see one: no session, no query, one read. */
export async function serveView(app: FastifyInstance, { ctx }: { ctx: Context }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/view/*',
    // Pictures are compressed already.
    compress: false,
    handler: async (request: Request, reply) => {
      const { e: expires = '', s: signature = '' } = request.query;
      const link = {
        path: request.params['*'],
        expires: String(expires),
        signature: String(signature),
      };
      const found = await checkViewUrl(ctx, link);
      if (!found) throw httpErrors.forbidden('链接已失效，请刷新页面');
      const object = await ctx.storage.get(found.key).catch((error: unknown) => {
        if (error instanceof StorageNotFound) throw httpErrors.notFound('页面还没有转换好');
        throw error;
      });
      reply.headers({
        'content-type': 'image/webp',
        'content-length': object.size,
        'x-content-type-options': 'nosniff',
        'content-security-policy': `default-src 'none'; sandbox`,
        'cache-control': `public, max-age=${found.seconds}, immutable`,
      });
      if (request.method === 'HEAD') {
        object.stream.destroy();
        return reply.send();
      }
      return reply.send(object.stream);
    },
  });
}
