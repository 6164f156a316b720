import { type Route, route } from '#platform/server/http/route.ts';
import { userApi } from './account.contract.ts';
import { changePassword, getUser, type RequireAuthority, updateProfile } from './account.ts';
import { mailEmailChangeCode } from './change-email.ts';
import { type AssertAccountAdmitted, login, logout } from './login.ts';
import { endAllDevices, endDevices, listDevices } from './login-devices.ts';
import { updatePrivacy } from './privacy.ts';
import { requestPasswordReset, resetPassword } from './reset-password.ts';
import { sessionApi, totpApi } from './session.contract.ts';
import { beginTotp, confirmTotp, disableTotp, getTotpStatus, renewRecoveryCodes } from './two-factor.ts';

/** Checks of the role module, which depends on this one; the app passes them in. */
type RoleChecks = { requireAuthority: RequireAuthority; assertAccountAdmitted: AssertAccountAdmitted };

export const accountRoutes = (roleChecks: RoleChecks): Route[] => [
  route(userApi.login, login(roleChecks.assertAccountAdmitted)),
  route(userApi.logout, logout),
  route(userApi.get, getUser),
  route(userApi.updateProfile, updateProfile(roleChecks.requireAuthority)),
  route(userApi.updatePrivacy, updatePrivacy),
  route(userApi.beginEmailChange, mailEmailChangeCode),
  route(userApi.changePassword, changePassword(roleChecks.requireAuthority)),
  route(userApi.requestPasswordReset, requestPasswordReset),
  route(userApi.resetPassword, resetPassword),
  route(sessionApi.list, listDevices),
  route(sessionApi.end, endDevices),
  route(sessionApi.endAll, endAllDevices),
  route(totpApi.status, getTotpStatus),
  route(totpApi.begin, beginTotp),
  route(totpApi.confirm, confirmTotp),
  route(totpApi.renewCodes, renewRecoveryCodes),
  route(totpApi.disable, disableTotp),
];
