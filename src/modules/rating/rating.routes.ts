import { route } from '#platform/server/http/route.ts';
import { ratingApi } from './rating.contract.ts';
import { getRating, rateDocument } from './rating.ts';

export const ratingRoutes = [route(ratingApi.get, getRating), route(ratingApi.put, rateDocument)];
