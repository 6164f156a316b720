import type { FileFormat } from '../conversion.contract.ts';
import type { CompoundEntry } from './cfb.ts';

export { isCompoundFile, readCompoundEntries, type Source } from './cfb.ts';

const byStream: [stream: string, format: FileFormat][] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['MatOST', 'wps'],
  ['CONTENTS', 'wps'],
];

/** Today's formats, when encrypted, hide inside a compound file; only the name tells which. */
const encryptedAs: Record<string, FileFormat> = {
  doc: 'docx',
  docx: 'docx',
  dot: 'docx',
  wps: 'docx',
  odt: 'docx',
  rtf: 'docx',
  ppt: 'pptx',
  pptx: 'pptx',
  pps: 'pptx',
  ppsx: 'pptx',
  dps: 'pptx',
  pot: 'pptx',
  odp: 'pptx',
  xls: 'xlsx',
  xlsx: 'xlsx',
  et: 'xlsx',
  ods: 'xlsx',
};

export function formatOfEntries(entries: CompoundEntry[], extension: string): FileFormat | { stranger: string } {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has('EncryptedPackage')) return encryptedAs[extension] ?? { stranger: '加密的 Office 文档' };
  const found = byStream.find(([stream]) => names.has(stream));
  return found ? found[1] : { stranger: '无法识别的 Office 文件' };
}
