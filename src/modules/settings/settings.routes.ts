import type { Context } from '#platform/server/context.ts';
import { type Route, route } from '#platform/server/http/route.ts';
import { listSettings } from './list-settings.ts';
import { settingsApi } from './settings.contract.ts';
import { getPublicSettings } from './settings.ts';
import { updateSettings, type VerifyPassword } from './update-settings.ts';

/** Functions of modules that depend on this one; the app passes them in. */
type Hooks = {
  verifyPassword: VerifyPassword;
  /** Called with the setting groups that were saved. */
  afterUpdate: (ctx: Context, groups: string[]) => Promise<void>;
};

export const settingsRoutes = ({ verifyPassword, afterUpdate }: Hooks): Route[] => {
  const update = updateSettings(verifyPassword);
  return [
    route(settingsApi.settings, getPublicSettings),
    route(settingsApi.list, listSettings),
    route(settingsApi.update, async (ctx, input) => {
      const answer = await update(ctx, input);
      await afterUpdate(
        ctx,
        input.config.map(({ category }) => category),
      );
      return answer;
    }),
  ];
};
