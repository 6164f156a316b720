import { defineErrors } from '#platform/contract/errors.ts';

/** Formats of files as detected from their bytes. Each belongs to a family of extensions. */
export const fileFormats = {
  pdf: 'PDF',
  ofd: 'OFD',
  doc: 'Word 97',
  docx: 'Word',
  rtf: 'RTF',
  wps: 'Works',
  odt: 'OpenDocument 文本',
  ppt: 'PowerPoint 97',
  pptx: 'PowerPoint',
  odp: 'OpenDocument 演示文稿',
  xls: 'Excel 97',
  xlsx: 'Excel',
  ods: 'OpenDocument 表格',
  csv: 'CSV',
  tsv: 'TSV',
  txt: '纯文本',
  epub: 'EPUB',
  mobi: 'MOBI',
  chm: 'CHM',
  umd: 'UMD',
  html: '网页',
  wordml: 'Word 2003 XML',
  flatopc: 'Word XML',
  fodt: 'OpenDocument 文本 XML',
  htmltable: '网页',
  spreadsheetml: 'Excel 2003 XML',
  fods: 'OpenDocument 表格 XML',
  fodp: 'OpenDocument 演示文稿 XML',
  xlsb: 'Excel 二进制工作簿',
  jpeg: 'JPEG 图片',
  png: 'PNG 图片',
  webp: 'WebP 图片',
  gif: 'GIF 图片',
  bmp: 'BMP 图片',
  tiff: 'TIFF 图片',
  heic: 'HEIC 图片',
  markdown: 'Markdown',
  fb2: 'FictionBook',
  eml: '邮件',
  msg: 'Outlook 邮件',
  cbz: 'ZIP 压缩包',
  cbr: 'RAR 压缩包',
  cb7: '7z 压缩包',
  xps: 'XPS',
  djvu: 'DjVu',
} as const;
export type FileFormat = keyof typeof fileFormats;

/**
 * readable: the first pages can be opened while the rest is converted; ready: all pages are stored; failed: `reason`
 * says why.
 */
export type RenditionState = 'waiting' | 'converting' | 'readable' | 'ready' | 'failed';
/** How the reader shows it: page images, flowing text, or tables. Empty until the conversion decides. */
export type RenditionView = '' | 'pages' | 'flow' | 'sheet';

/** How often a conversion has used up its slice of processor time; see convert/time-slice.ts. */
export type QueueLevel = 0 | 1 | 2;

export const conversionErrors = defineErrors('content', {
  empty: [422, '文件是空的'],
  unsupported: [415, '不支持的文档类型'],
  mismatch: [422, '文件的内容与扩展名不符'],
  encrypted: [422, '文档已加密'],
  bomb: [422, '压缩包展开后过大，无法处理'],
});
