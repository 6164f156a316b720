import { deleteUnusedUpload } from '#modules/attachment/document-attachments.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';

export async function deleteUploadedFile(ctx: UserContext, { id }: { id: number }) {
  const isDeleted = await inTransaction(ctx, (ctx) => deleteUnusedUpload(ctx, id));
  if (!isDeleted) throw uploadErrors.notFound();
  return {};
}
