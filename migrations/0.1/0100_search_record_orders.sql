-- The log is read by what took longest and by what found nothing.
create index search_records_spend_time_idx on search_records (spend_time);
create index search_records_total_idx on search_records (total);
