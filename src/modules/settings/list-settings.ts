import { crc32 } from 'node:zlib';
import type { Context } from '#platform/server/context.ts';
import { loadSettings, settingText } from './load-settings.ts';
import { allSettings } from './settings.catalogue.ts';
import { type ConfigItem, SECRET_MASK } from './settings.contract.ts';

/** Derived from the key, so that it does not depend on the order of the catalogue. */
export const settingId = (category: string, name: string): number => crc32(`${category}.${name}`);

/** All settings as the back-office edits them. */
export async function listSettings(
  ctx: Context,
  { category: categories = [] }: { category?: string[] },
): Promise<{ config: ConfigItem[] }> {
  const values = await loadSettings(ctx.db, ctx.log);
  const config = allSettings.map(({ category, name, setting }, index) => {
    const value = settingText(values, category, name);
    return {
      id: settingId(category, name),
      category,
      name,
      label: setting.label,
      value: setting.secret && value !== '' ? SECRET_MASK : value,
      placeholder: setting.hint,
      input_type: setting.input,
      options: Object.entries(setting.options)
        .map(([option, label]) => `${option}:${label}`)
        .join('\n'),
      min: setting.limits?.min ?? null,
      max: setting.limits?.max ?? null,
      sort: index + 1,
      is_secret: setting.secret,
    };
  });
  const isRequested = (item: ConfigItem) => categories.length === 0 || categories.includes(item.category);
  return { config: config.filter(isRequested) };
}
