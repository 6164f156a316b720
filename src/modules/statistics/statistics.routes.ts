import { route } from '#platform/server/http/route.ts';
import { statisticsApi } from './statistics.contract.ts';
import { getStats, listSharers } from './statistics.ts';

export const statisticsRoutes = [route(statisticsApi.stats, getStats), route(statisticsApi.sharers, listSharers)];
