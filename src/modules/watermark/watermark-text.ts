import { getSettings } from '#modules/settings/settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import type { Context } from '#platform/server/context.ts';

const VISITOR_NAME = '游客';

/** The last two groups of an IPv4 or IPv6 address: they distinguish visitors without showing the whole address. */
const addressTail = (address: string): string => address.split(/[.:]/).slice(-2).join('.');

/** Fills the template of the site for the caller. Visitors have no number, so it contains the end of their address. */
export async function watermarkText(ctx: Context): Promise<string> {
  const { security, system } = await getSettings(ctx);
  const values: Record<string, string> = {
    name: ctx.user?.username ?? VISITOR_NAME,
    id: ctx.user ? String(ctx.user.id) : addressTail(ctx.client.ip),
    date: formatDate(ctx.now().toISOString(), system.timezone),
  };
  return security.watermark_template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
