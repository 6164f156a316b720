import type { FileFormat } from './conversion.contract.ts';
import { rejectionReasons } from './sandboxed/rejection-reasons.ts';

/** Formats that can be decrypted with a password (docs/decisions/0050). */
const UNLOCKABLE_FORMATS: readonly FileFormat[] = [
  ...(['pdf', 'doc', 'docx', 'ppt', 'pptx', 'xls', 'xlsx', 'xlsb'] as const),
  ...(['odt', 'odp', 'ods'] as const),
];

/** Whether a failed conversion needs a password, and whether the format can be decrypted with one. */
export function classifyEncryptionFailure(reason: string | null, format: FileFormat) {
  if (reason !== rejectionReasons.encrypted) return 'none';
  return UNLOCKABLE_FORMATS.includes(format) ? 'unlockable' : 'unsupported';
}
