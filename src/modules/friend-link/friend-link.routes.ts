import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { friendLinkExport } from './export-friend-links.ts';
import { friendLinkApi } from './friend-link.contract.ts';
import {
  createFriendLink,
  deleteFriendLinks,
  getFriendLink,
  listFriendLinks,
  updateFriendLink,
} from './friend-link.ts';

export const friendLinkRoutes = [
  route(friendLinkApi.list, listFriendLinks),
  csvExportRoute(friendLinkApi.list, listFriendLinks, friendLinkExport),
  route(friendLinkApi.get, getFriendLink),
  route(friendLinkApi.create, createFriendLink),
  route(friendLinkApi.update, updateFriendLink),
  route(friendLinkApi.remove, deleteFriendLinks),
];
