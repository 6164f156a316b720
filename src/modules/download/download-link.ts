import { and, eq, isNull } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { DOCUMENT_FILE } from '#modules/document/document-files.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { signerOf } from '#platform/server/site-secret.ts';
import { downloadErrors } from './download.contract.ts';

const SIGNER = 'download-links';

export type Original = { id: number; title: string; ext: string; hash: string };

/** The file somebody uploaded, as long as it may be given away. */
export async function findOriginal(ctx: Context, id: number): Promise<Original> {
  const [found] = await ctx.db
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
  if (!found) throw downloadErrors.fileMissing();
  return found;
}

/** The hash is signed too: the link is to this file, not to another one the document may get. */
const signedText = ({ id, hash }: Pick<Original, 'id' | 'hash'>, expires: number) => `${id} ${hash}?${expires}`;

/** Good for a moment; whoever has it may use it, also to go on where a download broke off. */
export async function downloadLink(ctx: Context, original: Original): Promise<string> {
  const { download } = await getSettings(ctx);
  const expires = Math.floor(ctx.now().getTime() / 1000) + download.url_duration;
  const signature = (await signerOf(ctx, SIGNER)).sign(signedText(original, expires));
  return `/download/${original.id}?e=${expires}&s=${signature}`;
}

/** The file behind a link that this site has made and that is still good. */
export async function openLink(
  ctx: Context,
  link: { id: string; expires: string; signature: string },
): Promise<Original> {
  const expires = Number(link.expires);
  const isShaped = /^\d{1,15}$/.test(link.id) && /^\d{1,12}$/.test(link.expires);
  if (!isShaped || expires <= ctx.now().getTime() / 1000) throw downloadErrors.linkExpired();
  const signer = await signerOf(ctx, SIGNER);
  const original = await findOriginal(ctx, Number(link.id)).catch((error: unknown) => {
    // Whoever guesses learns nothing of what there is.
    if (downloadErrors.fileMissing.is(error)) throw downloadErrors.linkExpired();
    throw error;
  });
  if (!signer.isSigned(signedText(original, expires), link.signature)) throw downloadErrors.linkExpired();
  return original;
}
