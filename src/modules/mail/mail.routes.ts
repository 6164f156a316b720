import { route } from '#platform/server/http.ts';
import { mailApi } from './mail.contract.ts';
import { getMail, listMails } from './mail.ts';

export const mailRoutes = [route(mailApi.list, listMails), route(mailApi.get, getMail)];
