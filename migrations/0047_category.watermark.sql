-- Whether pages of documents of this category show who reads them; 'inherit': as in the parent category.
alter table categories add column watermark text not null default 'inherit'
  check (watermark in ('inherit', 'off', 'overlay', 'drawn'));
