-- recordActivity (src/modules/activity/activity.ts) does this now.
drop trigger activities_set_hidden on activities;
drop function activities_set_hidden();
