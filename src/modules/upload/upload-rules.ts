import { type FileFormat, fileFormats } from '#modules/conversion/conversion.contract.ts';
import { documentExtension, storedExtension } from '#modules/conversion/detect-format.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { extensionAliasesOf, storedExtensionCandidates } from '#platform/contract/extension-aliases.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { fileTypeExtensions } from '#platform/contract/file-type.ts';
import type { UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';

const MB = 1024 * 1024;

/** Current size limit of a document. */
export async function maxDocumentBytes(ctx: UserContext): Promise<number> {
  const { security } = await getSettings(ctx);
  return security.max_document_size * MB;
}

export const fileTooLargeError = (maxBytes: number) =>
  uploadErrors.tooLarge(`文件过大，最大允许 ${formatSize(maxBytes)}`);

async function isAllowedExtension(ctx: UserContext, extension: string): Promise<boolean> {
  const { security } = await getSettings(ctx);
  const allowedExtensions: readonly string[] = security.document_allowed_ext;
  return (
    allowedExtensions.length === 0 ||
    storedExtensionCandidates(extension).some((candidate) => allowedExtensions.includes(`.${candidate}`))
  );
}

/** Extensions without dots under which a document may be uploaded. */
export async function allowedExtensions(ctx: UserContext): Promise<string[]> {
  const { security } = await getSettings(ctx);
  const { document_allowed_ext: selectedExtensions } = security;
  const extensions =
    selectedExtensions.length > 0 ? [...selectedExtensions] : fileTypeExtensions.map((extension) => `.${extension}`);
  return [...extensions, ...extensionAliasesOf(extensions)].map((extension) => extension.slice(1));
}

export async function assertMayUpload(ctx: UserContext): Promise<void> {
  if (!(await rightsOfUser(ctx)).mayUpload) throw uploadErrors.mayNotUpload();
}

/**
 * Rejects a user without the permission, and a file type or size that is not allowed, before any byte is read. Returns
 * the extension of the name.
 */
export async function validateUpload(ctx: UserContext, name: string, size?: number): Promise<string> {
  await assertMayUpload(ctx);
  const extension = documentExtension(name);
  if (!(await isAllowedExtension(ctx, extension))) throw uploadErrors.notAllowed(`不支持的文档类型：.${extension}`);
  const maxBytes = await maxDocumentBytes(ctx);
  if (size !== undefined && size > maxBytes) throw fileTooLargeError(maxBytes);
  return extension;
}

/** The extension under which a file is stored; rejects content for which the site does not allow it. */
export async function allowedStoredExtension(ctx: UserContext, extension: string, format: FileFormat): Promise<string> {
  const finalExtension = storedExtension(extension, format);
  if (finalExtension !== extension && !(await isAllowedExtension(ctx, finalExtension)))
    throw uploadErrors.notAllowed(`不支持的文档类型：.${extension}（${fileFormats[format]}）`);
  return finalExtension;
}
