import { route } from '#platform/server/http.ts';
import { accessApi } from './access.contract.ts';
import { myPermissions } from './access.ts';

export const accessRoutes = [route(accessApi.mine, myPermissions)];
