const officePrefix = 'application/vnd.openxmlformats-officedocument';
const openDocumentPrefix = 'application/vnd.oasis.opendocument';

/**
 * By extension with dot. Text has no charset, because the encoding of the file is unknown and it is only downloaded.
 */
const mediaTypes: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.dot': 'application/msword',
  '.docx': `${officePrefix}.wordprocessingml.document`,
  '.rtf': 'application/rtf',
  '.wps': 'application/vnd.ms-works',
  '.odt': `${openDocumentPrefix}.text`,
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pps': 'application/vnd.ms-powerpoint',
  '.pot': 'application/vnd.ms-powerpoint',
  '.pptx': `${officePrefix}.presentationml.presentation`,
  '.ppsx': `${officePrefix}.presentationml.slideshow`,
  '.odp': `${openDocumentPrefix}.presentation`,
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': `${officePrefix}.spreadsheetml.sheet`,
  '.ods': `${openDocumentPrefix}.spreadsheet`,
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.epub': 'application/epub+zip',
  '.mobi': 'application/x-mobipocket-ebook',
  '.chm': 'application/vnd.ms-htmlhelp',
};

export const mediaTypeOf = (ext: string): string => mediaTypes[ext] ?? 'application/octet-stream';
