-- Consumers of events (src/app/server/event-consumers.ts) follow changes of documents instead of these triggers.
drop trigger documents_hide_activities on documents;
drop function documents_hide_activities();
drop trigger documents_rename_references on documents;
drop function documents_rename_references();
drop trigger documents_follow_rendition on renditions;
drop function documents_follow_rendition();
drop trigger documents_announce on documents;
drop trigger documents_update_search_insert on documents;
drop trigger documents_update_search_update on documents;
drop trigger documents_remove_from_search on documents;
drop trigger documents_queue_related_terms_insert on documents;
drop trigger documents_queue_related_terms_update on documents;

-- The status becomes two states: what reviewers decided, and how far the conversion is.
alter table documents
  add column review_state text not null default 'published'
    check (review_state in ('published', 'under-review', 'refused', 'disabled')),
  add column conversion_state text not null default 'waiting'
    check (conversion_state in ('waiting', 'converting', 'converted', 'failed', 'reconverting')),
  -- The summary that was last copied from the rendition; the description follows it until a user changes the description.
  add column extracted_summary text not null default '' check (char_length(extracted_summary) <= 255);
update documents set
  review_state = case documents.status when 4 then 'disabled' when 6 then 'under-review' when 7 then 'refused' else 'published' end,
  conversion_state = case
    when documents.status = 5 then 'reconverting'
    when rendition.state in ('readable', 'ready')
      or (rendition.ready_at is not null and rendition.pages > 0 and rendition.ready_pages = rendition.pages) then 'converted'
    else coalesce(rendition.state, 'waiting')
  end,
  extracted_summary = case when documents.description = rendition.summary then rendition.summary else '' end
from documents as same left join renditions as rendition on rendition.id = same.rendition_id
where same.id = documents.id;

drop trigger documents_refresh_readable on documents;
drop index documents_status_idx, documents_public_idx, documents_public_user_idx, documents_published_idx, documents_unpaid_award_idx;
alter table documents drop constraint documents_rendition_check;
alter table documents drop column status;

-- The number that the API shows.
alter table documents
  add column status smallint not null generated always as (
    case review_state
      when 'disabled' then 4
      when 'under-review' then 6
      when 'refused' then 7
      else case conversion_state
        when 'waiting' then 0
        when 'converting' then 1
        when 'converted' then 2
        when 'failed' then 3
        else 5
      end
    end) stored;
alter table documents
  add constraint documents_rendition_check check (rendition_id is not null or review_state <> 'published');
create index documents_status_idx on documents (status, id desc)
  where deleted_at is null;
create index documents_public_idx on documents (id desc)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
create index documents_public_user_idx on documents (user_id, id desc)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
create index documents_published_idx on documents (published_at desc, user_id)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
create index documents_unpaid_award_idx on documents (published_at, id)
  where award_settled_at is null and published_at is not null and deleted_at is null and status = 2;
create trigger documents_refresh_readable
  after update of review_state, conversion_state, visibility, deleted_at on documents
  for each row
  when (document_is_readable(old.deleted_at, old.visibility, old.status) <> document_is_readable(new.deleted_at, new.visibility, new.status))
  execute function documents_refresh_readable();
