-- Documents under review are converted, so that reviewers can read them and compare them with others. Before, the approval queued the
-- conversion.
insert into renditions (hash, format, size, user_id, convert_after)
select distinct on (file.hash, unconverted.format) file.hash, unconverted.format, file.size, unconverted.user_id, now()
from documents unconverted join attachments file on file.type = 2 and file.type_id = unconverted.id
where unconverted.rendition_id is null and unconverted.review_state = 'under-review' and unconverted.deleted_at is null and file.enable
order by file.hash, unconverted.format, unconverted.id
on conflict (hash, format) do nothing;
with linked as (
  update documents set rendition_id = rendition.id
  from attachments file join renditions rendition on rendition.hash = file.hash
  where documents.rendition_id is null and documents.review_state = 'under-review' and documents.deleted_at is null
    and file.type = 2 and file.type_id = documents.id and file.enable and rendition.format = documents.format
  returning rendition.id
)
-- A file that is converted already passes its state to the document.
insert into events (subject, subject_id, type) select distinct 'rendition', id, 'changed' from linked;
