import { route } from '#platform/server/http.ts';
import { userApi } from './user.contract.ts';
import { changePassword, login, logout, me } from './user.ts';

export const userRoutes = [
  route(userApi.login, login),
  route(userApi.logout, logout),
  route(userApi.me, me),
  route(userApi.changePassword, changePassword),
];
