import { route } from '#platform/server/http.ts';
import { fileApi } from './file.contract.ts';
import { uploadAvatar } from './upload-avatar.ts';
import { uploadArticlePicture, uploadPicture } from './upload-picture.ts';

export const fileRoutes = [
  route(fileApi.uploadAvatar, uploadAvatar),
  route(fileApi.uploadBanner, uploadPicture('banner')),
  route(fileApi.uploadCategory, uploadPicture('category')),
  route(fileApi.uploadConfig, uploadPicture('config')),
  route(fileApi.uploadArticle, uploadArticlePicture),
];
