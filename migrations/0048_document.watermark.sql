-- Whether pages of the document show who reads them; 'inherit': as in its category.
alter table documents add column watermark text not null default 'inherit'
  check (watermark in ('inherit', 'off', 'overlay', 'drawn'));
