import { exportRoute } from '#modules/audit/export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { fileApi } from './attachment.contract.ts';
import { removeAttachments } from './delete-attachments.ts';
import { attachmentExport } from './export-attachments.ts';
import { getAttachment, listAttachments } from './list-attachments.ts';
import { attachmentApi } from './manage-attachments.contract.ts';
import { type AfterBan, updateAttachment } from './update-attachment.ts';
import { uploadAvatar } from './upload-avatar.ts';
import { uploadArticlePicture, uploadPicture } from './upload-picture.ts';

export const fileRoutes = ({ afterBan }: { afterBan: AfterBan }) => [
  route(fileApi.uploadAvatar, uploadAvatar),
  route(fileApi.uploadBanner, uploadPicture('banner')),
  route(fileApi.uploadCategory, uploadPicture('category')),
  route(fileApi.uploadConfig, uploadPicture('config')),
  route(fileApi.uploadArticle, uploadArticlePicture),
  route(attachmentApi.list, listAttachments),
  exportRoute(attachmentApi.list, listAttachments, attachmentExport),
  route(attachmentApi.get, getAttachment),
  route(attachmentApi.update, updateAttachment(afterBan)),
  route(attachmentApi.remove, removeAttachments),
];
