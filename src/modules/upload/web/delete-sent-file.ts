import { callEndpoint } from '#platform/web/api.ts';
import { uploadApi } from '../upload.contract.ts';
import { cancelResumableUpload } from './send-file.ts';
import type { UploadItem } from './upload-item.ts';

/** Deletes what the server has of a removed row; otherwise the server deletes it after a day. */
export function deleteSentFile({ attachmentId, uploadUrl }: Pick<UploadItem, 'attachmentId' | 'uploadUrl'>): void {
  if (attachmentId > 0) void callEndpoint(uploadApi.remove, { id: attachmentId }).catch(() => {});
  else if (uploadUrl) void cancelResumableUpload(uploadUrl);
}
