import { storedExtensionCandidates } from '#platform/contract/extension-aliases.ts';
import { type FileType, fileTypeOfExtension } from '#platform/contract/file-type.ts';
import { conversionErrors, type FileFormat, fileFormats } from './conversion.contract.ts';
import { type ByteSource, isCompoundFile, readCompoundEntries } from './detect/compound-file.ts';
import { detectCompoundFormat } from './detect/compound-format.ts';
import { detectImageFormat } from './detect/image-format.ts';
import { isMail } from './detect/mail-format.ts';
import { detectMarkupFormat, isHtmlFragment } from './detect/markup-format.ts';
import { detectEncoding } from './detect/text-encoding.ts';
import { detectZipFormat, isZip } from './detect/zip-format.ts';

/** The formats that a file with an extension of a file type may have. The first format is the default. */
const formatsOfFileTypes: Record<Exclude<FileType, 'other'>, FileFormat[]> = {
  pdf: ['pdf'],
  ofd: ['ofd'],
  word: ['doc', 'docx', 'rtf', 'wps', 'odt', 'html', 'wordml', 'flatopc', 'fodt'],
  ppt: ['ppt', 'pptx', 'odp', 'fodp'],
  excel: ['xls', 'xlsx', 'xlsb', 'ods', 'csv', 'tsv', 'htmltable', 'spreadsheetml', 'fods'],
  text: ['txt', 'markdown'],
  web: ['html'],
  mail: ['eml', 'msg'],
  epub: ['epub'],
  fb2: ['fb2'],
  mobi: ['mobi'],
  chm: ['chm'],
  umd: ['umd'],
  djvu: ['djvu'],
  xps: ['xps'],
  comic: ['cbz', 'cbr', 'cb7'],
  image: ['jpeg', 'png', 'webp', 'gif', 'bmp', 'tiff', 'heic'],
};

function formatsOfExtension(extension: string): FileFormat[] {
  const type = fileTypeOfExtension(extension);
  return type === 'other' ? [] : formatsOfFileTypes[type];
}

/** Returns "docx" for "报告.DOCX"; rejects unsupported extensions. */
export function documentExtension(name: string): string {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (formatsOfExtension(storedExtensionCandidates(extension)[0]).length === 0)
    throw conversionErrors.unsupported(
      extension ? `不支持的文档类型：.${extension}` : '文件没有扩展名，无法识别文档类型',
    );
  return extension;
}

/** The extension under which a file with this name and content is stored. */
export function storedExtension(extension: string, format: FileFormat): string {
  const candidates = storedExtensionCandidates(extension);
  return candidates.find((candidate) => formatsOfExtension(candidate).includes(format)) ?? candidates[0];
}

/** Other file types that often have the extension of a document, by their first bytes. */
const otherTypes: [name: string, signatures: string[]][] = [['可执行程序', ['MZ', '\x7fELF']]];
const HEAD_BYTES = 64 * 1024;

/** The format by the bytes of the file, or the name of another file type. */
async function detectFromBytes(source: ByteSource, extension: string): Promise<FileFormat | { otherType: string }> {
  const head = await source.read(0, HEAD_BYTES);
  const head1k = head.toString('latin1', 0, 1024);
  const startsWith = (...signatures: string[]) => signatures.some((signature) => head1k.startsWith(signature));
  const imageFormat = detectImageFormat(head);
  if (imageFormat) return imageFormat;
  const otherType = otherTypes.find(([, signatures]) => startsWith(...signatures));
  if (otherType) return { otherType: otherType[0] };
  const type = fileTypeOfExtension(extension);
  if (type === 'mail' && isMail(head)) return 'eml';
  const markup = type === 'text' ? null : detectMarkupFormat(head, isSpreadsheetExtension(extension));
  if (markup) return markup;
  if (head1k.includes('%PDF-')) return 'pdf';
  if (startsWith('Rar!\x1a\x07')) return 'cbr';
  if (startsWith('7z\xbc\xaf\x27\x1c')) return 'cb7';
  if (isZip(head)) return (await detectZipFormat(source)) ?? 'cbz';
  if (isCompoundFile(head)) return detectCompoundFormat(await readCompoundEntries(source), extension);
  if (startsWith('{\\rtf')) return 'rtf';
  if (/^.{60}(?:BOOKMOBI|TEXtREAd)/s.test(head1k)) return 'mobi';
  if (startsWith('ITSF')) return 'chm';
  if (/^AT&TFORM.{4}DJV[UM]/s.test(head1k)) return 'djvu';
  if (startsWith('\x89\x9b\x9a\xde')) return 'umd';
  if (['wps', 'wpt'].includes(extension) && startsWith('\x01\xfe', '\xdb\xa5')) return 'wps';
  // Spreadsheets older than compound files begin with a BOF record.
  if (isSpreadsheetExtension(extension) && startsWith('\t\0', '\t\x02', '\t\x04')) return 'xls';
  if (type === 'web' && isHtmlFragment(head)) return 'html';
  return detectEncoding(head) ? textFormat(head1k, extension) : { otherType: '无法识别的数据' };
}

const isSpreadsheetExtension = (extension: string) =>
  fileTypeOfExtension(extension) === 'excel' && !isDelimitedExtension(extension);
const isDelimitedExtension = (extension: string) => extension === 'csv' || extension === 'tsv';

/** The extension selects among the text formats; text with the extension of a workbook is a table. */
function textFormat(head1k: string, extension: string): FileFormat | { otherType: string } {
  if (extension === 'txt' || extension === 'csv' || extension === 'tsv') return extension;
  if (extension === 'md' || extension === 'markdown') return 'markdown';
  if (isSpreadsheetExtension(extension) && /[,\t;]/.test(head1k)) return head1k.includes('\t') ? 'tsv' : 'csv';
  return { otherType: '纯文本' };
}

/**
 * Detects the format by the bytes of the file. The extension only selects within a file type; a contradiction is rejected
 * with a message that names both.
 */
export async function detectFormat(source: ByteSource, extension: string): Promise<FileFormat> {
  if (source.size === 0) throw conversionErrors.empty();
  const candidates = storedExtensionCandidates(extension);
  const formats = candidates.flatMap(formatsOfExtension);
  if (formats.length === 0) throw conversionErrors.unsupported(`不支持的文档类型：.${extension}`);
  const detectedFormat = await detectFromBytes(source, candidates[0]);
  if (typeof detectedFormat === 'string' && formats.includes(detectedFormat)) return detectedFormat;
  const actual = typeof detectedFormat === 'string' ? fileFormats[detectedFormat] : detectedFormat.otherType;
  // Chinese typography separates Latin words with a space.
  const gap = /^[A-Za-z0-9]/.test(actual) ? ' ' : '';
  throw conversionErrors.mismatch(`文件扩展名是 .${extension}，内容却是${gap}${actual}`);
}
