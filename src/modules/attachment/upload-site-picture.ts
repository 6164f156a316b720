import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { UserContext } from '#platform/server/context.ts';
import type { ReceivedFile } from '#platform/server/http/receive-file.ts';
import { type PictureKind, storeUploadedImage } from './store-uploaded-image.ts';

const auditActions = {
  article: '上传文章图片',
  banner: '上传横幅',
  category: '上传文档分类封面',
  config: '上传配置图片文件',
} as const satisfies Partial<Record<PictureKind, string>>;
type SitePicture = keyof typeof auditActions;

const receiveAndAudit = (ctx: UserContext, kind: SitePicture, file: ReceivedFile) =>
  storeUploadedImage(ctx, kind, file, (ctx, { id, name, path, size }) =>
    recordAudit(ctx, {
      action: auditActions[kind],
      target: auditTarget('附件', [{ id, name }]),
      after: { path, size },
    }),
  );

export const uploadSitePicture =
  (kind: SitePicture) =>
  async (ctx: UserContext, { file }: { file: ReceivedFile }) => ({
    code: 200,
    message: '上传成功',
    data: await receiveAndAudit(ctx, kind, file),
  });

export async function uploadArticlePicture(ctx: UserContext, { file }: { file: ReceivedFile }) {
  const { path, name } = await receiveAndAudit(ctx, 'article', file);
  return { errno: 0, data: { url: path, alt: name } };
}
