-- Which documents have a suggested word among their keywords: a word is suggested to those who may
-- see one of them. Filled by the index, which takes up every document after this upgrade.
create table search_word_uses (
  folded text not null,
  document_id bigint not null references documents on delete cascade,
  primary key (folded, document_id)
);
create index search_word_uses_document_idx on search_word_uses (document_id);
