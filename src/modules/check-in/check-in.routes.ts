import { route } from '#platform/server/http/route.ts';
import { checkInApi } from './check-in.contract.ts';
import { checkInOfToday, checkInToday } from './check-in.ts';

export const checkInRoutes = [route(checkInApi.today, checkInOfToday), route(checkInApi.sign, checkInToday)];
