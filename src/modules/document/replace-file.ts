import { eq } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { deleteDocumentAttachments, lockDocumentAttachments } from '#modules/attachment/document-attachments.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { accountErrors } from '#modules/role/manage-accounts.contract.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { hasPermission, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { deleteUnusedFailedRendition } from './delete-unused-failed-rendition.ts';
import { documentErrors } from './document.contract.ts';
import { documents } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { type documentFileApi, documentFileErrors } from './document-file.contract.ts';
import { conversionStateOf, describeBySummary, hasRepairableFile } from './document-states.ts';
import { lockManageableDocuments, UPDATE_PERMISSION } from './lock-documents.ts';
import { lockRenditions } from './lock-renditions.ts';
import { recordFilesForErasure } from './record-files-for-erasure.ts';
import {
  type DocumentFile,
  detectAttachmentFormat,
  findUploadedAttachments,
  hasDocument,
  lockUploadedAttachments,
} from './uploaded-attachments.ts';

type Input = ParsedInputOf<typeof documentFileApi.replace>;

/** Only for documents whose conversion failed; title, comments and favorites stay. A document under review stays under review. */
export async function replaceFile(ctx: UserContext, { id, attachment_id }: Input) {
  const { mayUpload, uploadNeedsReview } = await rightsOfUser(ctx);
  if (!mayUpload) throw accountErrors.mayNotUpload();
  const [upload] = await findUploadedAttachments(ctx, [attachment_id]);
  if (!upload) throw documentErrors.wrongFile();
  const format = await detectAttachmentFormat(ctx, upload);
  const needsReview = uploadNeedsReview && !hasPermission(ctx, UPDATE_PERMISSION);
  await inRetriedTransaction(ctx, async (ctx) => {
    await lockDocumentAttachments(ctx, [id]);
    const [file] = await lockUploadedAttachments(ctx, [attachment_id]);
    if (!file) throw documentErrors.wrongFile();
    const rendition = await registerAndLock(ctx, file, format);
    const [document] = await lockManageableDocuments(ctx, UPDATE_PERMISSION, [id]);
    if (!document || !rendition) throw documentErrors.notFound();
    if (!hasRepairableFile(document)) throw documentFileErrors.notFailed();
    await recordFilesForErasure(ctx, [document]);
    await ctx.db
      .update(documents)
      .set({
        rendition_id: rendition.id,
        format,
        ext: file.ext,
        size: file.size,
        review_state: needsReview ? 'under-review' : document.review_state,
        conversion_state: conversionStateOf(rendition),
        ...describeBySummary(document, rendition.summary),
        updated_at: ctx.now().toISOString(),
      })
      .where(eq(documents.id, id));
    await recordDocumentEvents(ctx, 'file-changed', [id]);
    await deleteDocumentAttachments(ctx, [id]);
    await ctx.db.update(attachments).set({ type_id: id }).where(eq(attachments.id, attachment_id));
    await deleteUnusedFailedRendition(ctx, document.rendition_id);
    if (document.user_id !== ctx.user.id)
      await recordAudit(ctx, {
        action: '替换文档文件',
        target: auditTarget('文档', [{ id, name: document.title }]),
        before: { ext: document.ext, size: document.size },
        after: { ext: file.ext, size: file.size },
      });
  });
  return {};
}

async function registerAndLock(ctx: UserContext, { hash, size }: DocumentFile, format: FileFormat) {
  const { id } = await registerRendition(ctx, {
    hash,
    size,
    format,
    isRepeated: await hasDocument(ctx, hash),
  });
  return (await lockRenditions(ctx, [id])).get(id) ?? null;
}
