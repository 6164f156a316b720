import { route } from '#platform/server/http/route.ts';
import { positionApi } from './position.contract.ts';
import { deleteReadingHistory, notePosition, readHistory, readPosition } from './reading-position.ts';

export const positionRoutes = [
  route(positionApi.get, readPosition),
  route(positionApi.put, notePosition),
  route(positionApi.history, readHistory),
  route(positionApi.forget, deleteReadingHistory),
];
