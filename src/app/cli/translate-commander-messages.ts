import type { Command } from 'commander';
import { displayWidth } from '#modules/text/wide-characters.contract.ts';

const TITLES: Record<string, string> = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Commands:': '命令：',
};

const translateUsage = (text: string) => text.replace('[options]', '[选项]').replace('[command]', '[命令]');

const SENTENCES: [english: RegExp, chinese: string][] = [
  [/missing required argument '(.+?)'/, '缺少参数：$1'],
  [/option '(.+?)' argument missing/, '选项 $1 缺少值'],
  [/unknown option '(.+?)'/, '没有这个选项：$1'],
  [/unknown command '(.+?)'/, '没有这个命令：$1'],
  [
    /too many arguments(?: for '(.+?)')?\. Expected (\d+) arguments? but got (\d+)\./,
    '参数过多：需要 $2 个，给了 $3 个',
  ],
  [/\(Did you mean (?:one of )?(.+?)\?\)/, '（您要的是 $1 吗？）'],
  [/^error: /, ''],
];

export function translateCommanderMessages(command: Command): void {
  command
    .helpOption('-h, --help', '显示帮助')
    .showHelpAfterError('（用 --help 查看用法）')
    .configureHelp({
      displayWidth,
      styleTitle: (title) => TITLES[title] ?? title,
      styleUsage: translateUsage,
      styleSubcommandTerm: translateUsage,
    })
    .configureOutput({
      outputError: (text, write) =>
        write(SENTENCES.reduce((message, [english, chinese]) => message.replace(english, chinese), text)),
    });
  if (command.commands.length > 0) command.helpCommand('help [命令]', '显示某个命令的帮助');
  for (const each of command.commands) translateCommanderMessages(each);
}
