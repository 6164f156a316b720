-- What is compared to find nearly equal files: the lowest hashes of the text, or hashes of page pictures.
create table near_copy_sketches (
  rendition_id bigint primary key references renditions on delete cascade,
  -- Pipeline version and number of recognized pages of the text that was read.
  version integer not null,
  recognized_pages integer not null,
  -- Ascending unsigned 32-bit numbers, little-endian; empty for a file with too little text.
  text_hashes bytea not null check (octet_length(text_hashes) % 4 = 0),
  -- 64 bits each, of three pages; empty for a file with a text of its own.
  picture_hashes bigint[] not null
);

-- Files with a similar sketch share some of these keys.
create table near_copy_keys (
  key integer not null,
  rendition_id bigint not null references near_copy_sketches on delete cascade,
  primary key (key, rendition_id)
);
create index near_copy_keys_rendition_idx on near_copy_keys (rendition_id);
