import type { UserContext } from '#platform/server/context.ts';
import type { ReceivedFile } from '#platform/server/receive-file.ts';
import { type PictureKind, receiveImage } from './receive-image.ts';

export const uploadPicture =
  (kind: PictureKind) =>
  async (ctx: UserContext, { file }: { file: ReceivedFile }) => ({
    code: 200,
    message: '上传成功',
    data: await receiveImage(ctx, kind, file),
  });

export async function uploadArticlePicture(ctx: UserContext, { file }: { file: ReceivedFile }) {
  const { path, name } = await receiveImage(ctx, 'article', file);
  return { errno: 0, data: { url: path, alt: name } };
}
