import { readThroughLiveCache } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { loadSettings, SETTINGS_CACHE_NAME, settingText } from './load-settings.ts';
import { toPublicSettings } from './public-settings.ts';
import { findSetting, type Settings } from './settings.catalogue.ts';
import { type PublicSettings, SECRET_MASK, settingsErrors } from './settings.contract.ts';
import { parseSettingChanges, writeSettings } from './update-settings.ts';

const readLiveSettings = (ctx: Context) =>
  readThroughLiveCache(ctx, SETTINGS_CACHE_NAME, async (db) => {
    const values = await loadSettings(db, ctx.log);
    const publicValues = toPublicSettings(values, {
      sendsMail: sendsMail(ctx, values),
      address: configuredAddress(ctx, values),
    });
    return { values, publicValues };
  });

const sendsMail = ({ config }: Context, { email }: Settings): boolean =>
  config.smtpUrl !== null || (email.enable && email.host !== '');

/** Whether the environment or the settings name a mail server. */
export const hasMailServer = async (ctx: Context): Promise<boolean> => sendsMail(ctx, await getSettings(ctx));

/** Address of the site from the environment or else the settings; empty when neither is set. */
export const configuredAddress = ({ config }: Pick<Context, 'config'>, { system }: Settings) =>
  (config.publicUrl || system.domain).replace(/\/+$/, '');

/** The settings from the live cache, which is current on every node. */
export const getSettings = async (ctx: Context): Promise<Settings> => (await readLiveSettings(ctx)).values;

export const getPublicSettings = async (ctx: Context): Promise<PublicSettings> =>
  (await readLiveSettings(ctx)).publicValues;

function splitKey(key: string): { category: string; name: string } {
  const [category = '', ...nameParts] = key.split('.');
  return { category, name: nameParts.join('.') };
}

/** For the command line, so it may change the analytics script: `setSetting(ctx, 'system.sitename', '…')`. */
export async function setSetting(ctx: Context, key: string, value: string): Promise<void> {
  await writeSettings(ctx, parseSettingChanges([{ ...splitKey(key), value }]), true);
}

/** The value as text; secrets are masked. */
export async function readSetting(ctx: Context, key: string): Promise<string> {
  const { category, name } = splitKey(key);
  const cataloguedSetting = findSetting(category, name);
  if (!cataloguedSetting) throw settingsErrors.unknown(`没有这项配置：${key}`);
  const text = settingText(await loadSettings(ctx.db, ctx.log), category, name);
  return cataloguedSetting.setting.secret && text !== '' ? SECRET_MASK : text;
}
