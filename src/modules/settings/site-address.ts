import type { Context } from '#platform/server/context.ts';
import { getSettings } from './settings.ts';

/** Address of the site in mails, the site map and the like: configured, never taken from a request. */
export async function siteAddress(ctx: Context): Promise<string> {
  const { system } = await getSettings(ctx);
  const address = ctx.config.publicUrl || system.domain || `http://localhost:${ctx.config.port}`;
  return address.replace(/\/+$/, '');
}
