-- The function changeRenditions (src/modules/conversion/change-renditions.ts) does this now.
drop trigger renditions_record_replaced on renditions;
drop function renditions_record_replaced();
drop trigger renditions_withdraw_outdated on renditions;
drop function renditions_withdraw_outdated();
