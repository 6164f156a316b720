import { route } from '#platform/server/http/route.ts';
import { positionApi } from './position.contract.ts';
import { deleteReadingHistory, listReadingHistory, readPosition, storePosition } from './reading-position.ts';

export const positionRoutes = [
  route(positionApi.get, readPosition),
  route(positionApi.put, storePosition),
  route(positionApi.history, listReadingHistory),
  route(positionApi.deleteHistory, deleteReadingHistory),
];
