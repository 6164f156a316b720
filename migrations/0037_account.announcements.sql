-- Functions that change users and favorites announce it (src/modules/account/announce-user-change.ts).
drop trigger users_announce_update on users;
drop trigger users_announce_delete on users;
drop trigger favorite_folders_announce on favorite_folders;
drop trigger favorites_announce on favorites;
drop function announce_owner();
-- The functions in src/modules/article/article.ts announce changes of articles.
drop trigger articles_announce_insert_delete on articles;
drop trigger articles_announce_update on articles;
drop function announce_change();
