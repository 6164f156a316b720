import { type Route, route } from '#platform/server/http.ts';
import { endAllDevices, endDevices, listDevices } from './devices.ts';
import { findPasswordStepOne, findPasswordStepTwo } from './find-password.ts';
import { login, logout } from './login.ts';
import { sessionApi, totpApi } from './session.contract.ts';
import { beginTotp, confirmTotp, disableTotp, totpStatus } from './totp.ts';
import { userApi } from './user.contract.ts';
import { changePassword, getUser, type RequireAuthority, updateProfile } from './user.ts';

/** Roles stand above accounts: the app hands the check of authority in. */
export const userRoutes = (hooks: { requireAuthority: RequireAuthority }): Route[] => [
  route(userApi.login, login),
  route(userApi.logout, logout),
  route(userApi.get, getUser),
  route(userApi.updateProfile, updateProfile(hooks.requireAuthority)),
  route(userApi.changePassword, changePassword(hooks.requireAuthority)),
  route(userApi.findPasswordStepOne, findPasswordStepOne),
  route(userApi.findPasswordStepTwo, findPasswordStepTwo),
  route(sessionApi.list, listDevices),
  route(sessionApi.end, endDevices),
  route(sessionApi.endAll, endAllDevices),
  route(totpApi.status, totpStatus),
  route(totpApi.begin, beginTotp),
  route(totpApi.confirm, confirmTotp),
  route(totpApi.disable, disableTotp),
];
