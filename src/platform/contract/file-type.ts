export const EXTENSIONS = {
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

/** Extensions of all file types, without dots. */
export const fileTypeExtensions: readonly string[] = Object.values(EXTENSIONS).flat();

const typeOfExtension = new Map<string, FileType>(
  Object.entries(EXTENSIONS).flatMap(([type, list]) => list.map((extension) => [extension, type as FileType] as const)),
);

/** Extensions of a file type, without dots. */
export const extensionsOfFileType = (type: keyof typeof EXTENSIONS): readonly string[] => EXTENSIONS[type];

/** Accepts an extension with or without its dot, or a file name, in upper or lower case. */
export function fileTypeOfExtension(nameOrExtension: string): FileType {
  const extension = nameOrExtension.slice(nameOrExtension.lastIndexOf('.') + 1).toLowerCase();
  return typeOfExtension.get(extension) ?? 'other';
}
