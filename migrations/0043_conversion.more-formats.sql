-- Formats of images, comics, scans, layouts, books, notes and mails, and binary workbooks.
alter table renditions drop constraint renditions_format_check;
alter table renditions add constraint renditions_format_check check (format in (
  'pdf', 'doc', 'docx', 'rtf', 'wps', 'odt', 'ppt', 'pptx', 'odp', 'xls', 'xlsx', 'ods', 'csv', 'tsv', 'txt', 'epub', 'mobi',
  'chm', 'umd', 'html', 'wordml', 'flatopc', 'fodt', 'htmltable', 'spreadsheetml', 'fods', 'fodp', 'xlsb', 'jpeg', 'png', 'webp',
  'gif', 'bmp', 'tiff', 'heic', 'cbz', 'cbr', 'cb7', 'djvu', 'xps', 'ofd', 'fb2', 'markdown', 'eml', 'msg'));
