import { eq } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { announceUserChange } from '#modules/account/announce-user-change.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import type { ReceivedFile } from '#platform/server/http/receive-file.ts';
import { attachmentTypes } from './attachment.contract.ts';
import { linkAttachments } from './link-attachments.ts';
import { storeUploadedImage } from './store-uploaded-image.ts';

/** Sets the avatar of the caller. The replaced picture becomes unused and is deleted later. */
export async function uploadAvatar(ctx: UserContext, { file }: { file: ReceivedFile }) {
  const data = await storeUploadedImage(ctx, 'avatar', file);
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.update(users).set({ avatar: data.path }).where(eq(users.id, ctx.user.id));
    await announceUserChange(ctx);
    await linkAttachments(ctx, attachmentTypes.avatar, ctx.user.id, [data.path]);
  });
  return { code: 200, message: '上传成功', data };
}
