import { documentExtension } from '#modules/conversion/detect-format.ts';
import { flagsOf } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/format.ts';
import type { UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';

const MB = 1024 * 1024;

/** The most bytes a document may have now. */
export async function maxDocumentBytes(ctx: UserContext): Promise<number> {
  const { security } = await getSettings(ctx);
  return security.max_document_size * MB;
}

export const tooLarge = (maxBytes: number) => uploadErrors.tooLarge(`文件过大，最大允许 ${formatSize(maxBytes)}`);

/** Refuses whoever may not upload, and what may not be uploaded, before a byte is read. */
export async function checkUpload(ctx: UserContext, name: string, size?: number): Promise<string> {
  if (!(await flagsOf(ctx)).mayUpload) throw uploadErrors.mayNotUpload();
  const extension = documentExtension(name);
  const { security } = await getSettings(ctx);
  const allowed: readonly string[] = security.document_allowed_ext;
  if (allowed.length > 0 && !allowed.includes(`.${extension}`))
    throw uploadErrors.notAllowed(`不支持的文档类型：.${extension}`);
  const maxBytes = await maxDocumentBytes(ctx);
  if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes);
  return extension;
}
