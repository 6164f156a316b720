-- Flat OPC: a Word document as one XML file.
alter table contents drop constraint contents_format_check;
alter table contents add constraint contents_format_check check (format in ('pdf', 'doc', 'docx', 'rtf', 'wps', 'odt', 'ppt', 'pptx', 'odp', 'xls', 'xlsx', 'ods', 'csv', 'tsv', 'txt', 'epub', 'mobi', 'chm', 'umd', 'html', 'wordml', 'flatopc', 'fodt', 'htmltable', 'spreadsheetml', 'fods'));
