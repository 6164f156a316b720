import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readOutputFile } from './sandbox-output-file.ts';

const root = await mkdtemp(path.join(tmpdir(), 'douku-output-'));
afterAll(() => rm(root, { recursive: true }));
const folder = path.join(root, 'work');
await mkdir(path.join(folder, 'p'), { recursive: true });
await writeFile(path.join(root, 'secret'), 'secret of the site');
await writeFile(path.join(folder, 'p', '1.webp'), 'a page');
await symlink(path.join(root, 'secret'), path.join(folder, 'link.webp'));
await symlink(root, path.join(folder, 'elsewhere'));

test('readOutputFile reads a file that a sandboxed program wrote into the work folder', async () => {
  expect(String(await readOutputFile(folder, 'p/1.webp'))).toBe('a page');
});

test.each(['link.webp', 'elsewhere/secret', '../secret', 'p'])(
  'readOutputFile rejects %s, which is a link, a folder or outside the work folder',
  async (name) => {
    await expect(readOutputFile(folder, name)).rejects.toThrow();
  },
);
