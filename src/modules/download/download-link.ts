import { and, eq, isNull } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { DOCUMENT_FILE } from '#modules/document/uploaded-attachments.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { createSigner } from '#platform/server/site-secret.ts';
import { downloadErrors } from './download.contract.ts';
import { mayStillDownload } from './download-rights.ts';

const SIGNER = 'download-links';

export type OriginalFile = { id: number; title: string; ext: string; hash: string };

/** Returns the original file of a document unless it is banned or deleted. */
export async function findOriginalFile(ctx: Context, id: number): Promise<OriginalFile> {
  const [row] = await ctx.db
    .select({
      id: documents.id,
      title: documents.title,
      ext: documents.ext,
      hash: attachments.hash,
    })
    .from(documents)
    .innerJoin(
      attachments,
      and(eq(attachments.type, DOCUMENT_FILE), eq(attachments.type_id, documents.id), eq(attachments.enable, true)),
    )
    .where(and(eq(documents.id, id), isNull(documents.deleted_at)));
  if (!row) throw downloadErrors.fileMissing();
  return row;
}

/** The signature includes the hash, so that the link is valid only for this file and not for a replacement. */
const signedText = ({ id, hash }: Pick<OriginalFile, 'id' | 'hash'>, userId: number, expires: number) =>
  `${id} ${hash} ${userId}?${expires}`;

/**
 * The link is valid for a short time, while the caller may download the document. Everyone who has it can use it, also
 * to resume a download.
 */
export async function createDownloadLink(ctx: Context, original: OriginalFile): Promise<string> {
  const { download } = await getSettings(ctx);
  const expires = Math.floor(ctx.now().getTime() / 1000) + download.url_duration;
  const userId = ctx.user?.id ?? 0;
  const signature = (await createSigner(ctx, SIGNER)).sign(signedText(original, userId, expires));
  return `/download/${original.id}?u=${userId}&e=${expires}&s=${signature}`;
}

/** Returns the file of a link that this site has signed and that has neither expired nor lost its right. */
export async function verifyDownloadLink(
  ctx: Context,
  link: { id: string; userId: string; expires: string; signature: string },
): Promise<OriginalFile> {
  const [userId, expires] = [Number(link.userId), Number(link.expires)];
  const isWellFormed = [link.id, link.userId].every((id) => /^\d{1,15}$/.test(id)) && /^\d{1,12}$/.test(link.expires);
  if (!isWellFormed || expires <= ctx.now().getTime() / 1000) throw downloadErrors.linkExpired();
  const signer = await createSigner(ctx, SIGNER);
  const original = await findOriginalFile(ctx, Number(link.id)).catch((error: unknown) => {
    // A guessed link must not reveal whether the document exists.
    if (downloadErrors.fileMissing.is(error)) throw downloadErrors.linkExpired();
    throw error;
  });
  if (!signer.verify(signedText(original, userId, expires), link.signature)) throw downloadErrors.linkExpired();
  if (!(await mayStillDownload(ctx, original.id, userId))) throw downloadErrors.linkExpired();
  return original;
}
