import { route } from '#platform/server/http/route.ts';
import { acceptProof, findStoredFile } from './instant-upload.ts';
import { receiveDocument } from './receive-document.ts';
import { listUploads } from './resumable-upload.ts';
import { uploadApi } from './upload.contract.ts';

export const uploadRoutes = [
  route(uploadApi.document, receiveDocument),
  route(uploadApi.check, findStoredFile),
  route(uploadApi.instant, acceptProof),
  route(uploadApi.list, listUploads),
];
