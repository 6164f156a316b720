import { route } from '#platform/server/http/route.ts';
import { followApi } from './follow.contract.ts';
import { follow, getFollow, listFollows, unfollow } from './follow.ts';
import { followFeed } from './follow-feed.ts';

export const followRoutes = [
  route(followApi.create, follow),
  route(followApi.remove, unfollow),
  route(followApi.get, getFollow),
  route(followApi.list, listFollows),
  route(followApi.feed, followFeed),
];
