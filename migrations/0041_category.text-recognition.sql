-- Whether the text of scanned pages is recognized in documents of this category and of the categories below it.
alter table categories add column enable_ocr boolean not null default true;
