import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FANDOL_FOLDER, FONT_FOLDER } from '../font-folders.ts';
import { fontSandboxOptions } from './run-sandboxed-converter.ts';

test('the sandbox gets the folders of fonts that exist when a program starts, at the same path', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'douku-fonts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const later = path.join(folder, 'later');
  const mountsOf = () => fontSandboxOptions([folder, later]).reads.slice(1);
  expect(mountsOf()).toEqual([{ from: folder, to: folder }]);
  await mkdir(later);
  expect(mountsOf()).toEqual([folder, later].map((each) => ({ from: each, to: each })));
});

test('fonts.conf names the folders that the sandbox gets, and the FangSong of Fandol lies in one of them', async () => {
  const config = await readFile(new URL('../fonts.conf', import.meta.url), 'utf8');
  for (const folder of [FONT_FOLDER, FANDOL_FOLDER]) expect(config).toContain(`<dir>${folder}</dir>`);
  const programs = await readFile(new URL('../../../../scripts/programs.json', import.meta.url), 'utf8');
  expect(programs).toContain(`"${FANDOL_FOLDER}/FandolFang-Regular.otf"`);
});
