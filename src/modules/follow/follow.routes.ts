import { route } from '#platform/server/http/route.ts';
import { followApi } from './follow.contract.ts';
import { followUser, getFollowRelation, listFollows, unfollowUser } from './follow.ts';
import { getFollowFeed } from './follow-feed.ts';

export const followRoutes = [
  route(followApi.create, followUser),
  route(followApi.remove, unfollowUser),
  route(followApi.get, getFollowRelation),
  route(followApi.list, listFollows),
  route(followApi.feed, getFollowFeed),
];
