import { route } from '#platform/server/http/route.ts';
import { archiveApi } from './archive/archive.contract.ts';
import { attachArchiveEntry } from './archive/attach-archive-entry.ts';
import { unpackUploadedArchive } from './archive/unpack-uploaded-archive.ts';
import { deleteUploadedFile } from './delete-uploaded-file.ts';
import { completeInstantUpload, createInstantUploadChallenge } from './instant-upload.ts';
import { receiveUploadedFile } from './receive-uploaded-file.ts';
import { listUploads } from './resumable-upload.ts';
import { uploadApi } from './upload.contract.ts';

export const uploadRoutes = [
  route(uploadApi.document, receiveUploadedFile),
  route(uploadApi.remove, deleteUploadedFile),
  route(uploadApi.check, createInstantUploadChallenge),
  route(uploadApi.instant, completeInstantUpload),
  route(uploadApi.list, listUploads),
  route(archiveApi.unpack, unpackUploadedArchive),
  route(archiveApi.attach, attachArchiveEntry),
];
