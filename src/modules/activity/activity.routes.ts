import { route } from '#platform/server/http/route.ts';
import { activityApi } from './activity.contract.ts';
import { listActivities } from './activity.ts';

export const activityRoutes = [route(activityApi.list, listActivities)];
