const office = 'application/vnd.openxmlformats-officedocument';
const open = 'application/vnd.oasis.opendocument';

/** By extension, with its dot. Text is said to be of no known encoding: it is kept, not shown. */
const types: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.dot': 'application/msword',
  '.docx': `${office}.wordprocessingml.document`,
  '.rtf': 'application/rtf',
  '.wps': 'application/vnd.ms-works',
  '.odt': `${open}.text`,
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pps': 'application/vnd.ms-powerpoint',
  '.pot': 'application/vnd.ms-powerpoint',
  '.pptx': `${office}.presentationml.presentation`,
  '.ppsx': `${office}.presentationml.slideshow`,
  '.odp': `${open}.presentation`,
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': `${office}.spreadsheetml.sheet`,
  '.ods': `${open}.spreadsheet`,
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.epub': 'application/epub+zip',
  '.mobi': 'application/x-mobipocket-ebook',
  '.chm': 'application/vnd.ms-htmlhelp',
};

export const mediaTypeOf = (ext: string): string => types[ext] ?? 'application/octet-stream';
