import { route } from '#platform/server/http/route.ts';
import { dashboardApi } from './dashboard.contract.ts';
import { listEnvironment } from './list-environment.ts';
import { getOverview } from './overview.ts';
import { getTrend } from './trend.ts';

export const dashboardRoutes = [
  route(dashboardApi.overview, getOverview),
  route(dashboardApi.trend, getTrend),
  route(dashboardApi.envs, listEnvironment),
];
