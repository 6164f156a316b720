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
  '.dotx': `${officePrefix}.wordprocessingml.template`,
  '.docm': 'application/vnd.ms-word.document.macroEnabled.12',
  '.dotm': 'application/vnd.ms-word.template.macroEnabled.12',
  '.rtf': 'application/rtf',
  '.wps': 'application/vnd.ms-works',
  '.odt': `${openDocumentPrefix}.text`,
  '.ott': `${openDocumentPrefix}.text-template`,
  '.fodt': `${openDocumentPrefix}.text-flat-xml`,
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pps': 'application/vnd.ms-powerpoint',
  '.pot': 'application/vnd.ms-powerpoint',
  '.pptx': `${officePrefix}.presentationml.presentation`,
  '.ppsx': `${officePrefix}.presentationml.slideshow`,
  '.potx': `${officePrefix}.presentationml.template`,
  '.pptm': 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  '.ppsm': 'application/vnd.ms-powerpoint.slideshow.macroEnabled.12',
  '.potm': 'application/vnd.ms-powerpoint.template.macroEnabled.12',
  '.odp': `${openDocumentPrefix}.presentation`,
  '.otp': `${openDocumentPrefix}.presentation-template`,
  '.fodp': `${openDocumentPrefix}.presentation-flat-xml`,
  '.xls': 'application/vnd.ms-excel',
  '.xlt': 'application/vnd.ms-excel',
  '.xlsx': `${officePrefix}.spreadsheetml.sheet`,
  '.xltx': `${officePrefix}.spreadsheetml.template`,
  '.xlsm': 'application/vnd.ms-excel.sheet.macroEnabled.12',
  '.xltm': 'application/vnd.ms-excel.template.macroEnabled.12',
  '.xlsb': 'application/vnd.ms-excel.sheet.binary.macroEnabled.12',
  '.ods': `${openDocumentPrefix}.spreadsheet`,
  '.ots': `${openDocumentPrefix}.spreadsheet-template`,
  '.fods': `${openDocumentPrefix}.spreadsheet-flat-xml`,
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.epub': 'application/epub+zip',
  '.mobi': 'application/x-mobipocket-ebook',
  '.chm': 'application/vnd.ms-htmlhelp',
};

export const mediaTypeOf = (ext: string): string => mediaTypes[ext] ?? 'application/octet-stream';
