import { EXTENSIONS, type FileType, fileTypeOfExtension } from './file-type.ts';

/** Names under which forms list the extensions; several types may share one. */
const groupNames: Record<Exclude<FileType, 'other'>, string> = {
  pdf: 'PDF',
  ofd: 'OFD',
  word: '文字文档',
  ppt: '演示文稿',
  excel: '表格',
  text: '文本',
  web: '网页',
  mail: '邮件',
  epub: '电子书',
  fb2: '电子书',
  mobi: '电子书',
  chm: '电子书',
  umd: '电子书',
  djvu: 'DjVu',
  xps: 'XPS',
  comic: '漫画',
  image: '图片',
};

/** Groups the supported ones of these extensions, all with dots, for forms. */
export function groupExtensions(extensions: readonly string[]): { name: string; extensions: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const extension of extensions) {
    const type = fileTypeOfExtension(extension);
    if (type === 'other') continue;
    const name = groupNames[type];
    groups.set(name, [...(groups.get(name) ?? []), extension]);
  }
  return [...groups].map(([name, members]) => ({ name, extensions: members }));
}

const MAIN_FILE_TYPES: readonly string[] = ['pdf', 'word', 'ppt', 'excel', 'text'];

/** Extensions of the file types that filters of lists and searches offer together as "other", without dots. */
export const otherTypeExtensions: readonly string[] = Object.entries(EXTENSIONS).flatMap(([type, list]) =>
  MAIN_FILE_TYPES.includes(type) ? [] : list,
);
