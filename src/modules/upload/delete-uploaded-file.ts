import { deleteUnusedUploadOf } from '#modules/attachment/document-attachments.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';

/** Deletes an upload of the caller that no document uses; others stay. */
export async function deleteUploadedFile(ctx: UserContext, { id }: { id: number }) {
  await inTransaction(ctx, (ctx) => deleteUnusedUploadOf(ctx, id));
  return {};
}
