import type { Context } from '#platform/server/context.ts';
import { configuredAddress, getSettings } from './settings.ts';

/** Address of the site in mails, the site map and the like: configured, never taken from a request. */
export const siteAddress = async (ctx: Context): Promise<string> =>
  configuredAddress(ctx, await getSettings(ctx)) || `http://localhost:${ctx.config.port}`;
