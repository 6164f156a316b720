-- changeRenditions (src/modules/conversion/change-renditions.ts) records replaced versions and withdraws outdated pages.
drop trigger renditions_record_replaced on renditions;
drop function renditions_record_replaced();
drop trigger renditions_withdraw_outdated on renditions;
drop function renditions_withdraw_outdated();
