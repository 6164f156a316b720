import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { Db } from '#platform/server/db/db.ts';
import type { Log } from '#platform/server/log.ts';
import type { Setting } from './setting-kinds.ts';
import { allSettings, catalogue, findSetting, type Settings } from './settings.catalogue.ts';
import { settings } from './settings.table.ts';

/** Under this name changes are announced to all nodes. */
export const SETTINGS_CACHE_NAME = 'settings';

/** The value a row holds; the default when it no longer fits the catalogue. */
function parseStoredValue(key: string, setting: Setting, text: string, log: Log): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    log.warn({ err: error, setting: key }, 'a stored setting is not valid; its default is used');
    return setting.default;
  }
}

/** Reads the rows as they are now, past the cache. */
export async function loadSettings(db: Db, log: Log): Promise<Settings> {
  const rows = await db.select().from(settings);
  const texts = new Map(rows.map(({ category, name, value }) => [`${category}.${name}`, value]));
  // Nobody who renames the site should have to look for the old name in other texts.
  const sitename = texts.get('system.sitename') ?? catalogue.system.sitename.default;
  const named = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(catalogue.system.sitename.default, sitename) : value;
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { category, name, setting } of allSettings) {
    const key = `${category}.${name}`;
    const group = groups[category] ?? {};
    groups[category] = group;
    const text = texts.get(key);
    group[name] = text === undefined ? named(setting.default) : parseStoredValue(key, setting, text, log);
  }
  return groups as Settings;
}

/** A setting as rows and the API carry it. */
export function settingText(values: Settings, category: string, name: string): string {
  const group: Record<string, unknown> = values[category as keyof Settings];
  return findSetting(category, name)?.setting.format(group[name]) ?? '';
}

/** One change of settings at a time; also held while looking which pictures they use. */
export const lockSettings = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${SETTINGS_CACHE_NAME}, 0))`);

/** Addresses of the pictures settings point to. Call it with the settings locked. */
export async function listSettingImages(ctx: Context): Promise<string[]> {
  const values = await loadSettings(ctx.db, ctx.log);
  return allSettings
    .filter(({ setting }) => setting.input === 'image')
    .map(({ category, name }) => settingText(values, category, name))
    .filter(Boolean);
}
