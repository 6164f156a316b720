-- replaced_fonts: fonts that the document names and that are not installed, each with the font that is drawn instead.
alter table renditions add column replaced_fonts jsonb not null default '[]' check (jsonb_typeof(replaced_fonts) = 'array');
