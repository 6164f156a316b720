import { accessRoutes } from '#modules/access/access.routes.ts';
import { articleRoutes } from '#modules/article/article.routes.ts';
import { bannerRoutes } from '#modules/banner/banner.routes.ts';
import { categoryRoutes } from '#modules/category/category.routes.ts';
import { dashboardRoutes } from '#modules/dashboard/dashboard.routes.ts';
import { fileRoutes } from '#modules/file/file.routes.ts';
import { friendLinkRoutes } from '#modules/friend-link/friend-link.routes.ts';
import { settingsRoutes } from '#modules/settings/settings.routes.ts';
import { userRoutes } from '#modules/user/user.routes.ts';
import { isOwnPassword } from '#modules/user/user.ts';
import type { Route } from '#platform/server/http.ts';

/** The whole API, one line a module. */
export const apiRoutes: Route[] = [
  ...settingsRoutes({ verifyPassword: isOwnPassword }),
  ...userRoutes,
  ...accessRoutes,
  ...fileRoutes,
  ...categoryRoutes,
  ...articleRoutes,
  ...bannerRoutes,
  ...friendLinkRoutes,
  ...dashboardRoutes,
];
