import { Command } from 'commander';
import { readSetting, setSetting } from '#modules/settings/settings.ts';
import { print, withSite } from './with-site.ts';

const get = new Command('get')
  .description('显示一项设置')
  .argument('<group.key>', '例如 system.sitename')
  .action((name: string) => withSite(async ({ ctx }) => print(await readSetting(ctx, name))));

const set = new Command('set')
  .description('修改一项设置，正在运行的网站立即生效')
  .argument('<group.key>', '例如 system.sitename')
  .argument('[value]', '新的值；不填则清空')
  .action((name: string, value = '') =>
    withSite(async ({ ctx }) => {
      await setSetting(ctx, name, value);
      print(`${name} 已更新`);
    }),
  );

export const configCommand = new Command('config')
  .description('查看与修改网站设置')
  .addCommand(get)
  .addCommand(set);
