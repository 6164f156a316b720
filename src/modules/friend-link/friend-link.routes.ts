import { route } from '#platform/server/http.ts';
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
  route(friendLinkApi.get, getFriendLink),
  route(friendLinkApi.create, createFriendLink),
  route(friendLinkApi.update, updateFriendLink),
  route(friendLinkApi.remove, deleteFriendLinks),
];
