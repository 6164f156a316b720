import { type FileType, fileTypeOfExtension } from '#platform/contract/file-type.ts';
import type { FileFormat } from '../conversion.contract.ts';
import type { CompoundEntry } from './compound-file.ts';

const MAIL_STORAGE = '__nameid_version1.0';
const formatsByStream: [stream: string, format: FileFormat][] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['MatOST', 'wps'],
  ['CONTENTS', 'wps'],
  [MAIL_STORAGE, 'msg'],
];

/** Encrypted files of current formats are compound files, so only the extension shows the format. */
const formatsOfEncrypted: Partial<Record<FileType, FileFormat>> = { word: 'docx', ppt: 'pptx', excel: 'xlsx' };

function formatOfEncrypted(extension: string): FileFormat | undefined {
  return extension === 'xlsb' ? 'xlsb' : formatsOfEncrypted[fileTypeOfExtension(extension)];
}

export function detectCompoundFormat(entries: CompoundEntry[], extension: string): FileFormat | { otherType: string } {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has('EncryptedPackage')) return formatOfEncrypted(extension) ?? { otherType: '加密的 Office 文档' };
  // An attachment of a mail may be an office document, and the other way round.
  if (extension === 'msg' && names.has(MAIL_STORAGE)) return 'msg';
  const match = formatsByStream.find(([stream]) => names.has(stream));
  return match ? match[1] : { otherType: '无法识别的 Office 文件' };
}
