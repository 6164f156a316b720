import { route } from '#platform/server/http.ts';
import { dashboardApi } from './dashboard.contract.ts';
import { listEnvironment } from './dashboard.ts';

export const dashboardRoutes = [route(dashboardApi.envs, listEnvironment)];
