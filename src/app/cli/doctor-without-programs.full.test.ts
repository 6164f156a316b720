import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { type CommandResult, commandEnvironment } from '#testing/run-douku.ts';
import { testApp } from '#testing/test-app.ts';

const { url, folder } = await testApp();

const environment = commandEnvironment(url, folder);

function startDouku(path: string, args: string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [join(projectRoot, 'src/app/cli/main.ts'), ...args], {
    cwd: folder,
    env: {
      ...environment,
      PATH: path,
      // As `npm run douku` does; it halves the start time.
      NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/compiled'),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test('douku doctor names missing LibreOffice and sandbox programs, with the effect and the command to install them', async () => {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const { code, output } = await startDouku(programs, ['doctor']);
  // The site works without them.
  expect(code).toBe(0);
  const lines = output.split('\n');
  const after = (line: string) => lines[lines.indexOf(line) + 1];
  expect(after('· LibreOffice Writer：没有安装')).toBe(
    '    Word 类文档的转换无法进行；apt-get install -y --no-install-recommends libreoffice-writer-nogui',
  );
  expect(after('· bubblewrap：没有安装')).toMatch(
    /^ {4}转换程序的隔离（.*Office 文档.*等待转换）无法进行；apt-get install .* bubblewrap$/,
  );
  // Installed, but not allowed to create a sandbox, as in a container.
  await writeFile(join(programs, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect((await startDouku(programs, ['doctor'])).output).toMatch(
    /^· bubblewrap：已安装，但系统不允许它建立沙箱\n.*；允许非特权用户命名空间/m,
  );
});
