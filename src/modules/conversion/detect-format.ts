import { conversionErrors, type FileFormat, fileFormats } from './conversion.contract.ts';
import { formatOfEntries, isCompoundFile, readCompoundEntries, type Source } from './detect/compound-format.ts';
import { markupFormat } from './detect/markup-format.ts';
import { detectEncoding } from './detect/text-encoding.ts';
import { isZip, zipFormat } from './detect/zip-format.ts';

export type { Source } from './detect/compound-format.ts';

/** Extensions and what a file of that name may be; the first is what it is taken for when in doubt. */
const families: { extensions: string[]; formats: FileFormat[] }[] = [
  { extensions: ['pdf'], formats: ['pdf'] },
  {
    extensions: ['doc', 'docx', 'rtf', 'wps', 'odt', 'dot', 'dotx'],
    formats: ['doc', 'docx', 'rtf', 'wps', 'odt', 'html', 'wordml', 'fodt'],
  },
  {
    extensions: ['ppt', 'pptx', 'pps', 'ppsx', 'dps', 'odp', 'pot', 'potx'],
    formats: ['ppt', 'pptx', 'odp'],
  },
  {
    extensions: ['xls', 'xlsx', 'et', 'ods', 'csv', 'tsv'],
    formats: ['xls', 'xlsx', 'ods', 'csv', 'tsv', 'htmltable', 'spreadsheetml', 'fods'],
  },
  { extensions: ['txt'], formats: ['txt'] },
  { extensions: ['epub'], formats: ['epub'] },
  { extensions: ['mobi'], formats: ['mobi'] },
  { extensions: ['chm'], formats: ['chm'] },
  { extensions: ['umd'], formats: ['umd'] },
];

/** Templates of today's formats are kept under the extension of their documents. */
const aliases: Record<string, string> = { dotx: 'docx', potx: 'pptx' };

export const documentExtensions = families.flatMap(({ extensions }) =>
  extensions.filter((extension) => !(extension in aliases)),
);

/** "docx" from "报告.DOCX"; refuses what is no document of ours. */
export function documentExtension(name: string): string {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = aliases[extension] ?? extension;
  if (!documentExtensions.includes(known))
    throw conversionErrors.unsupported(
      extension ? `不支持的文档类型：.${extension}` : '文件没有扩展名，无法识别文档类型',
    );
  return known;
}

/** Things that are no documents but are often named as if they were, by how they begin. */
const strangers: [name: string, beginnings: string[]][] = [
  ['PNG 图片', ['\x89PNG']],
  ['JPEG 图片', ['\xff\xd8\xff']],
  ['GIF 图片', ['GIF87a', 'GIF89a']],
  ['可执行程序', ['MZ', '\x7fELF']],
  ['RAR 压缩包', ['Rar!']],
  ['7z 压缩包', ['7z\xbc\xaf']],
];
const HEAD_BYTES = 64 * 1024;

/** What a file is by its bytes, or the name of the stranger it is. */
async function recognise(source: Source, extension: string): Promise<FileFormat | { stranger: string }> {
  const head = await source.read(0, HEAD_BYTES);
  const latin = head.toString('latin1', 0, 1024);
  const begins = (...beginnings: string[]) => beginnings.some((each) => latin.startsWith(each));
  const stranger = strangers.find(([, beginnings]) => begins(...beginnings));
  if (stranger) return { stranger: stranger[0] };
  const markup = extension === 'txt' ? null : markupFormat(head, isSheetName(extension));
  if (markup) return markup;
  if (latin.includes('%PDF-')) return 'pdf';
  if (isZip(head)) return (await zipFormat(source)) ?? { stranger: 'ZIP 压缩包' };
  if (isCompoundFile(head)) return formatOfEntries(await readCompoundEntries(source), extension);
  if (begins('{\\rtf')) return 'rtf';
  if (/^.{60}(?:BOOKMOBI|TEXtREAd)/s.test(latin)) return 'mobi';
  if (begins('ITSF')) return 'chm';
  if (begins('\x89\x9b\x9a\xde')) return 'umd';
  if (extension === 'wps' && begins('\x01\xfe', '\xdb\xa5')) return 'wps';
  // Spreadsheets older than compound files begin with the record that says so.
  if (['xls', 'et'].includes(extension) && begins('\t\0', '\t\x02', '\t\x04')) return 'xls';
  return detectEncoding(head) ? textFormat(latin, extension) : { stranger: '无法识别的数据' };
}

const isSheetName = (extension: string) => ['xls', 'xlsx', 'et', 'ods'].includes(extension);

/** Text is what its name says among the kinds of text; a sheet saved as text is a table. */
function textFormat(latin: string, extension: string): FileFormat | { stranger: string } {
  if (extension === 'txt' || extension === 'csv' || extension === 'tsv') return extension;
  if (isSheetName(extension) && /[,\t;]/.test(latin)) return latin.includes('\t') ? 'tsv' : 'csv';
  return { stranger: '纯文本' };
}

/**
 * Decides by its content what a file is. The extension only chooses inside a family; where the two
 * disagree the file is refused with a sentence that names both.
 */
export async function detectFormat(source: Source, extension: string): Promise<FileFormat> {
  if (source.size === 0) throw conversionErrors.empty();
  const family = families.find(({ extensions }) => extensions.includes(extension));
  if (!family) throw conversionErrors.unsupported(`不支持的文档类型：.${extension}`);
  const found = await recognise(source, extension);
  if (typeof found === 'string' && family.formats.includes(found)) return found;
  const actual = typeof found === 'string' ? fileFormats[found] : found.stranger;
  // Chinese text sets Latin words off with a space.
  const gap = /^[A-Za-z0-9]/.test(actual) ? ' ' : '';
  throw conversionErrors.mismatch(`文件扩展名是 .${extension}，内容却是${gap}${actual}`);
}
