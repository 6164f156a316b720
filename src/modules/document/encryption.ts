import type { ContentFormat } from '#modules/content/content.contract.ts';
import { refusals } from '#modules/content/workshop/refusals.ts';
import { type Context, can } from '#platform/server/context.ts';
import { documentStatus } from './document.contract.ts';
import type { DocumentEncryption } from './encryption.contract.ts';
import { UPDATE_PERMISSION } from './lock-documents.ts';

/** Formats that can be decrypted with a password (docs/decisions/0050). */
const UNLOCKABLE_FORMATS: readonly ContentFormat[] = [
  ...(['pdf', 'doc', 'docx', 'ppt', 'pptx', 'xls', 'xlsx'] as const),
];

type FailedDocument = {
  user_id: number;
  status: number;
  format: ContentFormat;
  convert_error: string | null;
};

/** The owner, and administrators who may edit the document. */
export const mayChangeFile = (ctx: Context, { user_id }: { user_id: number }): boolean =>
  ctx.user?.id === user_id || can(ctx, UPDATE_PERMISSION);

/** How the file is encrypted, for callers who may unlock or replace it. */
export function encryptionOf(ctx: Context, document: FailedDocument): DocumentEncryption {
  const { status, format, convert_error } = document;
  if (status !== documentStatus.failed || convert_error !== refusals.encrypted) return 'none';
  if (!mayChangeFile(ctx, document)) return 'none';
  return UNLOCKABLE_FORMATS.includes(format) ? 'unlockable' : 'unsupported';
}
