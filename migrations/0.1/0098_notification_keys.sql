-- What is taken back, as a deleted comment, is found by its key whoever was told.
create index notifications_by_key_idx on notifications (key);
