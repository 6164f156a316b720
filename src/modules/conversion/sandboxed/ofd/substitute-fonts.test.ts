import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listFontFiles } from './substitute-fonts.ts';

test('fonts are found by file name in every folder that exists, also below it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'douku-fonts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [fandol, system] = [path.join(folder, 'fandol'), path.join(folder, 'system/noto')];
  for (const each of [fandol, system]) await mkdir(each, { recursive: true });
  const files = [path.join(fandol, 'FandolFang-Regular.otf'), path.join(system, 'NotoSansCJK-Regular.ttc')];
  for (const file of files) await writeFile(file, '');
  const fontFiles = listFontFiles([fandol, path.join(folder, 'absent'), path.join(folder, 'system')]);
  expect(files.map((file) => fontFiles.get(path.basename(file)))).toEqual(files);
});
