const EXTENSIONS = {
  pdf: ['pdf'],
  ofd: ['ofd'],
  word: ['doc', 'docx', 'docm', 'dot', 'dotx', 'dotm', 'rtf', 'wps', 'wpt', 'odt', 'ott', 'fodt'],
  ppt: [
    ...['ppt', 'pptx', 'pptm', 'pps', 'ppsx', 'ppsm', 'pot', 'potx', 'potm'],
    ...['dps', 'dpt', 'odp', 'otp', 'fodp'],
  ],
  excel: [
    ...['xls', 'xlsx', 'xlsm', 'xlsb', 'xlt', 'xltx', 'xltm'],
    ...['et', 'ett', 'ods', 'ots', 'fods', 'csv', 'tsv'],
  ],
  text: ['txt', 'md', 'markdown'],
  web: ['html', 'htm', 'mhtml', 'mht'],
  mail: ['eml', 'msg'],
  epub: ['epub'],
  fb2: ['fb2'],
  mobi: ['mobi', 'azw3', 'azw', 'prc'],
  chm: ['chm'],
  umd: ['umd'],
  djvu: ['djvu', 'djv'],
  xps: ['xps', 'oxps'],
  comic: ['cbz', 'cbr', 'cb7'],
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'heic', 'heif'],
} as const;

export type FileType = keyof typeof EXTENSIONS | 'other';

/** Names under which forms list the extensions; several types may share one. */
const groupNames: Record<keyof typeof EXTENSIONS, string> = {
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

/**
 * Extensions whose files are stored under another extension: XML documents of Word and Excel, which these programs also
 * open under the extensions .doc and .xls.
 */
const extensionAliases = new Map<string, readonly [string, ...string[]]>([['xml', ['doc', 'xls']]]);

/**
 * Extensions under which a file may be stored, in lower case without dots. The content decides among several; the first
 * is the default.
 */
export const storedExtensionCandidates = (extension: string): readonly [string, ...string[]] =>
  extensionAliases.get(extension) ?? [extension];

/** Aliases of these extensions; both with dots. */
export const extensionAliasesOf = (extensions: readonly string[]): string[] =>
  [...extensionAliases].flatMap(([alias, candidates]) =>
    candidates.some((extension) => extensions.includes(`.${extension}`)) ? [`.${alias}`] : [],
  );

/** Extensions of all file types, without dots. */
export const fileTypeExtensions: readonly string[] = Object.values(EXTENSIONS).flat();

const typeOfExtension = new Map<string, FileType>(
  Object.entries(EXTENSIONS).flatMap(([type, list]) => list.map((extension) => [extension, type as FileType] as const)),
);

/** Extensions of a file type, without dots. */
export const extensionsOfFileType = (type: keyof typeof EXTENSIONS): readonly string[] => EXTENSIONS[type];

const MAIN_FILE_TYPES: readonly string[] = ['pdf', 'word', 'ppt', 'excel', 'text'];

/** Extensions of the file types that filters of lists and searches offer together as "other", without dots. */
export const otherTypeExtensions: readonly string[] = Object.entries(EXTENSIONS).flatMap(([type, list]) =>
  MAIN_FILE_TYPES.includes(type) ? [] : list,
);

/** Accepts an extension with or without its dot, or a file name, in upper or lower case. */
export function fileTypeOfExtension(nameOrExtension: string): FileType {
  const extension = nameOrExtension.slice(nameOrExtension.lastIndexOf('.') + 1).toLowerCase();
  return typeOfExtension.get(extension) ?? 'other';
}

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
