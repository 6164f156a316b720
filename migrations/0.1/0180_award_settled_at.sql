-- Uploads are rewarded when their conversion is complete. Awards of 0.1 are settled, except retracted ones.
alter table documents add column award_settled_at timestamptz;
update documents set award_settled_at = published_at where retracted_award = 0;
