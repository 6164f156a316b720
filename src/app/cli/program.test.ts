import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from './program.ts';

let output = '';
const write = (text: string) => {
  output += text;
};
const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];
for (const command of withSubcommands(program))
  command.exitOverride().configureOutput({ writeOut: write, writeErr: write });

async function douku(...args: string[]): Promise<string> {
  output = '';
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow();
  return output;
}

const englishWords = (text: string) => {
  const names = withSubcommands(program).map((command) => command.name());
  const rest = text.replace(/--?[a-z]+|[A-Z]\w+|\b[a-z_]+\.[a-z_]+\b|可选：.*/g, '');
  return (rest.match(/[a-z]{3,}/g) ?? []).filter((word) => ![...names, 'help'].includes(word));
};

test('every command has a Chinese description and help text', async () => {
  const { length } = withSubcommands(program);
  expect(length).toBeGreaterThan(12);
  for (const command of withSubcommands(program)) {
    const path = [];
    for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
    const help = await douku(...path, '--help');
    expect(help).toMatch(/^用法： douku/);
    expect(englishWords(help)).toEqual([]);
    expect(command.description()).toMatch(/\p{Script=Han}/u);
  }
  expect(await douku('user', 'create', '--help')).toContain('--role <角色>');
});

test.each([
  [['user', 'create'], '缺少参数：用户名'],
  [['confg'], '没有这个命令：confg\n（您要的是 config 吗？）'],
  [['user', 'list', '--all'], '没有这个选项：--all'],
  [['user', 'list', '--page'], '选项 --page <页码> 缺少值'],
  [['config', 'get', 'a', 'b'], '参数过多：需要 1 个，给了 2 个'],
])('a wrong command line gets a Chinese error message: %j', async (args, message) => {
  expect((await douku(...args)).trim()).toBe(`${message}\n（用 --help 查看用法）`);
});
