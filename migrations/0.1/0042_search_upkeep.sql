-- Merging replaces many rows at once; what they took up is soon used again.
alter table search_blocks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.02);
