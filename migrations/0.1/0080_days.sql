-- What is added day after day lies in the order of its time, so a few bytes for many rows find a month of it.
create index downloads_created_idx on downloads using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
create index comments_created_idx on comments using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
create index sign_ins_created_idx on sign_ins using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
