import type { ContentFormat } from './conversion.contract.ts';
import { refusals } from './sandboxed/rejection-reasons.ts';

/** Formats that can be decrypted with a password (docs/decisions/0050). */
const UNLOCKABLE_FORMATS: readonly ContentFormat[] = [
  'pdf',
  'doc',
  'docx',
  'ppt',
  'pptx',
  'xls',
  'xlsx',
];

/** Whether a failed conversion needs a password, and whether the format can be decrypted with one. */
export function encryptionOfFailure(reason: string | null, format: ContentFormat) {
  if (reason !== refusals.encrypted) return 'none';
  return UNLOCKABLE_FORMATS.includes(format) ? 'unlockable' : 'unsupported';
}
