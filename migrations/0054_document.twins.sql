-- Documents of which others have nearly the same file. Public lists and the search show one of each group.
create table document_twins (
  document_id bigint primary key references documents on delete cascade,
  twin_group bigint not null
);
create index document_twins_group_idx on document_twins (twin_group, document_id);
