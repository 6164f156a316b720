import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { imageUploadApi } from './attachment.contract.ts';
import { deleteAttachments } from './delete-attachments.ts';
import { attachmentExport } from './export-attachments.ts';
import { getAttachment, listAttachments } from './list-attachments.ts';
import { attachmentApi } from './manage-attachments.contract.ts';
import { type OnFileBanned, updateAttachment } from './update-attachment.ts';
import { uploadAvatar } from './upload-avatar.ts';
import { uploadArticlePicture, uploadSitePicture } from './upload-site-picture.ts';

export const attachmentRoutes = ({ onFileBanned }: { onFileBanned: OnFileBanned }) => [
  route(imageUploadApi.uploadAvatar, uploadAvatar),
  route(imageUploadApi.uploadBanner, uploadSitePicture('banner')),
  route(imageUploadApi.uploadCategory, uploadSitePicture('category')),
  route(imageUploadApi.uploadConfig, uploadSitePicture('config')),
  route(imageUploadApi.uploadArticle, uploadArticlePicture),
  route(attachmentApi.list, listAttachments),
  csvExportRoute(attachmentApi.list, listAttachments, attachmentExport),
  route(attachmentApi.get, getAttachment),
  route(attachmentApi.update, updateAttachment(onFileBanned)),
  route(attachmentApi.remove, deleteAttachments),
];
