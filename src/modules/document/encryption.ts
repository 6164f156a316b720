import { classifyEncryptionFailure } from '#modules/conversion/classify-encryption-failure.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import type { ConversionState } from './conversion-state.contract.ts';
import { hasRepairableFile, type ReviewState } from './document-states.ts';
import type { DocumentEncryption } from './encryption.contract.ts';
import { UPDATE_PERMISSION } from './lock-documents.ts';

type FailedDocument = {
  user_id: number;
  review_state: ReviewState;
  conversion_state: ConversionState;
  format: FileFormat;
  convert_error: string | null;
};

/** The owner, and administrators who may edit the document. */
export const mayChangeFile = (ctx: Context, { user_id }: { user_id: number }): boolean =>
  ctx.user?.id === user_id || hasPermission(ctx, UPDATE_PERMISSION);

/** How the file is encrypted, for callers who may unlock or replace it. */
export function getEncryptionForCaller(ctx: Context, document: FailedDocument): DocumentEncryption {
  if (!hasRepairableFile(document) || !mayChangeFile(ctx, document)) return 'none';
  return classifyEncryptionFailure(document.convert_error, document.format);
}
