import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { FILE_STREAM_TIMEOUT_MS } from '#platform/server/http/send-stored-file.ts';
import { createSigner } from '#platform/server/site-secret.ts';
import { documentErrors } from '../document.contract.ts';
import { documents } from '../document.table.ts';
import { sendOriginal } from '../send-original-file.ts';
import { unpublishedStatuses } from '../status-groups.contract.ts';
import { DOCUMENT_FILE } from '../uploaded-attachments.ts';

const SIGNER = 'review-links';

async function findOriginalFileForReview(ctx: Context, id: number) {
  const [original] = await ctx.db
    .select({ title: documents.title, ext: documents.ext, hash: attachments.hash })
    .from(documents)
    .innerJoin(attachments, and(eq(attachments.type, DOCUMENT_FILE), eq(attachments.type_id, documents.id)))
    .where(
      and(
        eq(documents.id, id),
        isNull(documents.deleted_at),
        // Reviewers may need more than the pages: the conversion may have failed, or left out parts of the file.
        inArray(documents.status, [...unpublishedStatuses]),
      ),
    );
  if (!original) throw documentErrors.notFound('没有这篇待审核、被禁用或被拒绝的文档');
  return original;
}

const reviewLinkSigningText = (id: number, expires: number) => `${id}?${expires}`;

/** A signed link with a short lifetime. */
export async function createReviewDownloadLink(ctx: Context, { id }: { id: number }) {
  await findOriginalFileForReview(ctx, id);
  const { download } = await getSettings(ctx);
  const expires = Math.floor(ctx.now().getTime() / 1000) + download.url_duration;
  const signer = await createSigner(ctx, SIGNER);
  return { url: `/download/review/${id}?e=${expires}&s=${signer.sign(reviewLinkSigningText(id, expires))}` };
}

type Request = FastifyRequest<{ Params: { id: string }; Querystring: { e?: string; s?: string } }>;

/** The signed link grants access; no account is checked. */
export async function serveReviewDownload(app: FastifyInstance, { ctx }: { ctx: Context }) {
  const options = { compress: false as const, handlerTimeout: FILE_STREAM_TIMEOUT_MS };
  app.get('/download/review/:id', options, async (request: Request, reply) => {
    const [id, expires] = [Number(request.params.id), Number(request.query.e)];
    const signer = await createSigner(ctx, SIGNER);
    const isValid =
      Number.isSafeInteger(id) &&
      expires > ctx.now().getTime() / 1000 &&
      signer.verify(reviewLinkSigningText(id, expires), String(request.query.s ?? ''));
    if (!isValid) throw httpErrors.forbidden('下载链接已失效');
    const missingError = () => documentErrors.missingFile('文件已不存在');
    return sendOriginal(ctx, { id, ...(await findOriginalFileForReview(ctx, id)) }, { request, reply, missingError });
  });
}
