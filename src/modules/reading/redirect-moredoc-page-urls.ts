import type { FastifyInstance, FastifyRequest } from 'fastify';
import { attachmentHashes } from '#modules/document/attachment-hash.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { getDocument } from '#modules/document/get-document.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { visitorContext } from '#platform/server/http/route.ts';
import { readPages } from './read-pages.ts';
import { authenticatePageImageRequest } from './serve-page-images.ts';

type CoverRequest = FastifyRequest<{ Params: { hash: string } }>;
type PageRequest = FastifyRequest<{ Params: { hash: string; file: string } }>;

/** Page images are always WebP, whatever extension the client requests. */
const PAGE_FILE = /^(\d{1,6})(?:\.gzip)?\.(?:svg|webp|png|jpg)$/;

/** Uses the API function, so that access errors are the same. */
async function findDocumentByHash(ctx: Context, hash: string) {
  const id = (await attachmentHashes(ctx)).documentIdOf(hash);
  if (id === null) throw documentErrors.notFound();
  return getDocument(ctx, { id, with_author: false });
}

async function pageUrl(ctx: Context, hash: string, file: string): Promise<string> {
  const number = Number(PAGE_FILE.exec(file)?.[1] ?? 0);
  if (number === 0) throw httpErrors.notFound();
  const { id } = await findDocumentByHash(ctx, hash);
  const { readable, page } = await readPages(ctx, { id, page: number, size: 1 });
  if (readable > 0 && number > readable) throw httpErrors.forbidden('这一页不在可预览的范围内');
  if (!page[0]?.url) throw httpErrors.notFound('页面还没有转换好');
  return page[0].url;
}

/** URLs that moredoc clients build from `attachment.hash`. */
export async function redirectMoredocPageUrls(app: FastifyInstance, { ctx }: { ctx: Context }) {
  const callerOf = (request: FastifyRequest) => authenticatePageImageRequest(visitorContext(ctx, request), request);
  app.get('/view/cover/:hash', async (request: CoverRequest, reply) => {
    const { cover } = await findDocumentByHash(await callerOf(request), request.params.hash);
    if (!cover) throw httpErrors.notFound('封面还没有生成');
    return reply.header('cache-control', 'no-store').redirect(cover, 302);
  });
  app.get('/view/page/:hash/:file', async (request: PageRequest, reply) => {
    const { hash, file } = request.params;
    const url = await pageUrl(await callerOf(request), hash, file);
    return reply.header('cache-control', 'no-store').redirect(url, 302);
  });
}
