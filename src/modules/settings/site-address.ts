import type { Context } from '#platform/server/context.ts';
import { configuredAddress, getSettings } from './settings.ts';

/** Address of the site for links in mails and the site map. Never taken from a request, which could be forged. */
export const siteAddress = async (ctx: Context): Promise<string> =>
  configuredAddress(ctx, await getSettings(ctx)) || `http://localhost:${ctx.config.port}`;
