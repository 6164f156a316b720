import { Command } from 'commander';
import { listSettings } from '#modules/settings/list-settings.ts';
import { settingGroups } from '#modules/settings/settings.contract.ts';
import { readSetting, setSetting } from '#modules/settings/settings.ts';
import { alignColumns } from './align-columns.ts';
import { CommandError, print, withSite } from './with-site.ts';

const MAX_VALUE_LENGTH = 60;
/** Shortens a value to one line; `config get` shows the whole value. */
const shortenToOneLine = (value: string) => {
  const line = value.replace(/\s+/g, ' ');
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH)}…` : line;
};

const list = new Command('list')
  .description('列出全部设置，或其中一组')
  .argument('[分组]', `可选：${Object.keys(settingGroups).join('、')}`)
  .action((group?: string) =>
    withSite(async ({ ctx }) => {
      if (group !== undefined && !Object.hasOwn(settingGroups, group))
        throw new CommandError(`没有分组 ${group}，现有：${Object.keys(settingGroups).join('、')}`);
      const { config } = await listSettings(ctx, group === undefined ? {} : { category: [group] });
      for (const line of alignColumns(
        config.map(({ category, name, label, value }) => [`${category}.${name}`, label, shortenToOneLine(value)]),
      ))
        print(line);
    }),
  );

const get = new Command('get')
  .description('显示一项设置')
  .argument('<分组.名称>', '例如 system.sitename')
  .action((name: string) => withSite(async ({ ctx }) => print(await readSetting(ctx, name))));

const set = new Command('set')
  .description('修改一项设置，正在运行的网站立即生效')
  .argument('<分组.名称>', '例如 system.sitename')
  .argument('[值]', '新的值；不填则清空')
  .action((name: string, value = '') =>
    withSite(async ({ ctx }) => {
      await setSetting(ctx, name, value);
      print(`${name} 已更新`);
    }),
  );

export const configCommand = new Command('config')
  .description('查看与修改网站设置')
  .addCommand(list)
  .addCommand(get)
  .addCommand(set);
