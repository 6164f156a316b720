import { expect, it } from 'vitest';
import { listPrograms } from './system-programs.ts';

it('listPrograms returns the system programs with purpose, package and whether they are installed', async () => {
  const programs = await listPrograms();
  expect(programs.map(({ name }) => name)).toContain('Chromium');
  for (const { purpose, package: debian } of programs) {
    expect(purpose).toMatch(/[\u4e00-\u9fff]/);
    expect(debian).toMatch(/^[a-z0-9][a-z0-9.+-]+$/);
  }
  expect(programs.find(({ name }) => name === 'util-linux')).toMatchObject({
    isInstalled: true,
    use: 'runtime',
  });
});
