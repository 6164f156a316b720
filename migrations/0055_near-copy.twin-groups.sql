-- The file with the lowest id that is nearly equal and represents a group; null until the sketch was compared.
alter table near_copy_sketches add column twin_group bigint;
create index near_copy_sketches_twin_group_idx on near_copy_sketches (twin_group);
