-- scanned_pages: number of pages without usable text; null for conversions of a version that did not count them.
-- recognized_pages: how many of them have recognized text that other parts of the site should follow.
alter table renditions
  add column scanned_pages integer check (scanned_pages >= 0),
  add column recognized_pages integer not null default 0 check (recognized_pages >= 0);
