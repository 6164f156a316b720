import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { recordAudit } from '#modules/audit/audit.ts';
import { changeAndInvalidate } from '#platform/server/cache/live-cache-access.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { parsePictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import { loadSettings, lockSettings, SETTINGS_CACHE_NAME, settingText } from './load-settings.ts';
import { InvalidSettingValue } from './setting-kinds.ts';
import { type CataloguedSetting, findSetting } from './settings.catalogue.ts';
import { SECRET_MASK, settingsErrors } from './settings.contract.ts';
import { settings } from './settings.table.ts';

export type SettingInput = { category: string; name: string; value: string };
/** Checks the password of the caller. The account module, which depends on this one, implements it. */
export type VerifyPassword = (ctx: Context, password: string) => Promise<boolean>;

type Change = CataloguedSetting & { text: string };

/** This script runs in the browser of every reader, so changing it requires the password. */
const isAnalyticsScript = ({ category, name }: SettingInput | Change) => category === 'system' && name === 'analytics';

function parseSettingChange({ category, name, value }: SettingInput): Change {
  const cataloguedSetting = findSetting(category, name);
  if (!cataloguedSetting) throw settingsErrors.unknown(`没有这项配置：${category}.${name}`);
  const { setting } = cataloguedSetting;
  try {
    return { ...cataloguedSetting, text: setting.format(setting.parse(value)) };
  } catch (error) {
    if (error instanceof InvalidSettingValue) throw settingsErrors.invalid(`【${setting.label}】${error.message}`);
    throw error;
  }
}

/** Validates all values. Secrets that only repeat the mask are omitted. */
export function parseSettingChanges(inputs: SettingInput[]): Change[] {
  const changes = inputs.map(parseSettingChange);
  const seenSettings = new Set<CataloguedSetting['setting']>();
  for (const { setting } of changes) {
    if (seenSettings.has(setting)) throw settingsErrors.invalid(`【${setting.label}】出现了不止一次`);
    seenSettings.add(setting);
  }
  return changes.filter(({ setting, text }) => !(setting.secret && text === SECRET_MASK));
}

type ChangeWithBefore = Change & { before: string };

async function findRealChanges(ctx: Context, changes: Change[]): Promise<ChangeWithBefore[]> {
  const values = await loadSettings(ctx.db, ctx.log);
  return changes
    .map((change) => ({ ...change, before: settingText(values, change.category, change.name) }))
    .filter(({ before, text }) => before !== text);
}

async function assertImagesExist(ctx: Context, changes: Change[]): Promise<void> {
  for (const { setting, text } of changes) {
    const picture = setting.input === 'image' ? parsePictureUploadPath(text) : null;
    if (picture && !(await ctx.storage.stat(picture.key)))
      throw settingsErrors.invalid(`【${setting.label}】的图片已不存在，请重新上传`);
  }
}

/** Writes all changes or none. */
export async function writeSettings(ctx: Context, changes: Change[], mayChangeScript: boolean): Promise<void> {
  await changeAndInvalidate(ctx, SETTINGS_CACHE_NAME, async (ctx) => {
    await lockSettings(ctx);
    const changedSettings = await findRealChanges(ctx, changes);
    if (!mayChangeScript && changedSettings.some(isAnalyticsScript)) throw settingsErrors.passwordNeeded();
    if (changedSettings.length === 0) return;
    await assertImagesExist(ctx, changedSettings);
    await ctx.db
      .insert(settings)
      .values(changedSettings.map(({ category, name, text }) => ({ category, name, value: text })))
      .onConflictDoUpdate({
        target: [settings.category, settings.name],
        set: { value: sql`excluded.value`, updated_at: sql`now()` },
      });
    await recordChanges(ctx, changedSettings);
  });
}

const settingKey = ({ category, name }: Change) => `${category}.${name}`;

/** The audit log contains only length and hash of a script, which can be compared with the one in use. */
const scriptSummary = (script: string) =>
  script && `${script.length} 字，SHA-256 ${createHash('sha256').update(script).digest('hex')}`;

async function recordChanges(ctx: Context, changedSettings: ChangeWithBefore[]): Promise<void> {
  const valuesOf = (side: 'before' | 'text') =>
    Object.fromEntries(
      changedSettings.map((each) => [
        settingKey(each),
        isAnalyticsScript(each) ? scriptSummary(each[side]) : each[side],
      ]),
    );
  const labels = changedSettings.map(({ setting }) => setting.label).join('、');
  await recordAudit(ctx, {
    action: '更新系统配置',
    target: `配置 ${labels}`.trim(),
    before: valuesOf('before'),
    after: valuesOf('text'),
    secrets: changedSettings.filter(({ setting }) => setting.secret).map(settingKey),
  });
}

export const updateSettings =
  (verifyPassword: VerifyPassword) =>
  async (ctx: UserContext, input: { config: SettingInput[]; password?: string }) => {
    const changes = parseSettingChanges(input.config);
    const isScriptChanged = (await findRealChanges(ctx, changes.filter(isAnalyticsScript))).length > 0;
    if (isScriptChanged) {
      if (!input.password) throw settingsErrors.passwordNeeded();
      if (!(await verifyPassword(ctx, input.password))) throw settingsErrors.wrongPassword();
    }
    await writeSettings(ctx, changes, isScriptChanged);
    return {};
  };
