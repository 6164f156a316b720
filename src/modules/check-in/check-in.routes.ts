import { route } from '#platform/server/http/route.ts';
import { checkInApi } from './check-in.contract.ts';
import { checkInToday, getTodaysCheckIn } from './check-in.ts';

export const checkInRoutes = [route(checkInApi.today, getTodaysCheckIn), route(checkInApi.sign, checkInToday)];
