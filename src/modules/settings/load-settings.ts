import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { Db } from '#platform/server/db/db.ts';
import type { Log } from '#platform/server/log.ts';
import type { Setting } from './setting-kinds.ts';
import { allSettings, findSetting, type Settings, settingsCatalogue } from './settings.catalogue.ts';
import { settings } from './settings.table.ts';

/** Name of the live cache value and of the notification that invalidates it on all nodes. */
export const SETTINGS_CACHE_NAME = 'settings';

/** Returns the default when the stored value is no longer valid. */
function parseStoredValue(key: string, setting: Setting, text: string, log: Log): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    log.warn({ err: error, setting: key }, 'a stored setting is not valid; its default is used');
    return setting.default;
  }
}

/** Reads the settings from the database, without the cache. */
export async function loadSettings(db: Db, log: Log): Promise<Settings> {
  const rows = await db.select().from(settings);
  const texts = new Map(rows.map(({ category, name, value }) => [`${category}.${name}`, value]));
  // Default texts contain the current name of the site instead of the default name.
  const sitename = texts.get('system.sitename') ?? settingsCatalogue.system.sitename.default;
  const withSiteName = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(settingsCatalogue.system.sitename.default, sitename) : value;
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { category, name, setting } of allSettings) {
    const key = `${category}.${name}`;
    const group = groups[category] ?? {};
    groups[category] = group;
    const text = texts.get(key);
    group[name] = text === undefined ? withSiteName(setting.default) : parseStoredValue(key, setting, text, log);
  }
  return groups as Settings;
}

/** The value of a setting as text, as rows and the API contain it. */
export function settingText(values: Settings, category: string, name: string): string {
  const group: Record<string, unknown> = values[category as keyof Settings];
  return findSetting(category, name)?.setting.format(group[name]) ?? '';
}

/** Serializes changes of settings with each other and with the search for unused images. */
export const lockSettings = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${SETTINGS_CACHE_NAME}, 0))`);

/** Paths of the images that settings use. The caller must hold `lockSettings`. */
export async function listSettingImages(ctx: Context): Promise<string[]> {
  const values = await loadSettings(ctx.db, ctx.log);
  return allSettings
    .filter(({ setting }) => setting.input === 'image')
    .map(({ category, name }) => settingText(values, category, name))
    .filter(Boolean);
}
