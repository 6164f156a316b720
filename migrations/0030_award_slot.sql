-- True while the award of a document is retracted and another upload of the same day may have earned in its place.
alter table documents add column award_slot_released boolean not null default false;

-- Upload activities (type 3) state the award that the document has now.
update activities a set payload = jsonb_set(a.payload, '{award}', '0')
  from documents d where d.id = a.document_id and a.type = 3 and d.retractions > 0 and d.award = 0;
