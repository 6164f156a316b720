import { type Route, route } from '#platform/server/http.ts';
import { listSettings } from './list-settings.ts';
import { settingsApi } from './settings.contract.ts';
import { getPublicSettings } from './settings.ts';
import { updateSettings, type VerifyPassword } from './update-settings.ts';

/** Passwords belong to accounts, which stand above settings: the app hands the check in. */
export const settingsRoutes = (hooks: { verifyPassword: VerifyPassword }): Route[] => [
  route(settingsApi.settings, getPublicSettings),
  route(settingsApi.list, listSettings),
  route(settingsApi.update, updateSettings(hooks.verifyPassword)),
];
