-- recordActivity (src/modules/activity/activity.ts) hides activities of documents that are not public.
drop trigger activities_set_hidden on activities;
drop function activities_set_hidden();
