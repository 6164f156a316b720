import { readdir, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import { addContent } from '../content.fixture.ts';
import { findContent } from '../content.ts';
import { derivedKeys } from '../content-keys.ts';
import { makeDocx, makePdf } from '../documents.fixture.ts';
import { convertContent, convertSlowly } from './convert-content.ts';
import { renderLimits } from './lane.ts';

// Programs of others start here, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });
const { ctx } = await testApp();
const attempt = { signal: new AbortController().signal, attempt: 1 };
const hasWalls = await canIsolate();
const hasSubstitutes = hasWalls && (await findProgram('pdftoppm')) !== null;
const hasOffice = hasSubstitutes && (await findProgram('soffice')) !== null;

afterEach(() => vi.restoreAllMocks());

/** Paper is white; the note that a page cannot be shown stands on grey. */
async function cornerOf(id: number, page: number): Promise<number[]> {
  const content = await findContent(ctx, id);
  if (!content) throw new Error(`no content ${id}`);
  const image = await buffer((await ctx.storage.get(derivedKeys(content).page(page))).stream);
  return [...(await sharp(image).removeAlpha().raw().toBuffer()).subarray(0, 3)];
}

test
  .runIf(hasSubstitutes)
  .each([
    ['a PDF', '挂起.pdf', makePdf({ pages: 3, text: (page) => `hang ${page}` }), 2],
    ...(hasOffice ? [['an office document', '挂起.docx', makeDocx('一段文字'), 1] as const] : []),
  ] as const)(
  'a page that hung on the fast lane is drawn by another program: %s',
  async (_, name, bytes, page) => {
    const { id } = await addContent(ctx, name, bytes);
    await convertSlowly.run(ctx, { id, skip: [page] }, attempt);
    expect(await findContent(ctx, id)).toMatchObject({ state: 'ready' });
    expect(await cornerOf(id, page)).toEqual([255, 255, 255]);
  },
);

/** Lets a test end the time of this length when it likes. */
function catchTimer(length: number): () => void {
  const begin = setTimeout;
  let end = () => {};
  const watched = (work: () => void, ms?: number) => {
    if (ms === length) end = work;
    return begin(work, ms);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(watched as typeof setTimeout);
  return () => end();
}

/** Ends the workshops of this process as a system short of memory would, not the walls around them. */
async function killWorkshops(): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    if (!/^\d+$/.test(name) || !(await read('cmdline')).includes('workshop/main.ts')) continue;
    parents.set(Number(name), Number(/\) \S (\d+)/.exec(await read('stat'))?.[1] ?? 0));
  }
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  const inner = [...parents.keys()].filter((pid) => ![...parents.values()].includes(pid));
  const ours = inner.filter(isOurs);
  for (const pid of ours) process.kill(pid, 'SIGKILL');
  return ours.length;
}

test('a workshop the system killed early is begun again, and no page is blamed', async () => {
  const { id } = await addContent(ctx, '被杀.pdf', makePdf({ pages: 100 }));
  const running = convertContent.run(ctx, { id }, attempt);
  const ready = async () => (await findContent(ctx, id))?.ready_pages ?? 0;
  await expect.poll(ready, { timeout: 60_000 }).toBeGreaterThan(2);
  expect(await killWorkshops()).toBeGreaterThan(0);
  await running;
  expect(await findContent(ctx, id)).toMatchObject({
    state: 'ready',
    ready_pages: 100,
    reason: '',
  });
});

test('time that is over blames no page', async () => {
  const endTime = catchTimer(renderLimits('fast').wallMs);
  const { id } = await addContent(ctx, '很长.pdf', makePdf({ pages: 2_000 }));
  const running = convertContent.run(ctx, { id }, attempt);
  const state = async () => (await findContent(ctx, id))?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('readable');
  endTime();
  await running;
  const { rows } = await ctx.db.execute<{ skip: number[] }>(
    sql`select data->'skip' as skip from pgboss.job
      where name = 'convert-slowly' and data->>'id' = ${String(id)}`,
  );
  expect(rows).toEqual([{ skip: [] }]);
});

test('a long document that gained pages goes on, also on the slow lane', async () => {
  const { wallMs } = renderLimits('slow');
  const { id } = await addContent(ctx, '更长.pdf', makePdf({ pages: 2_001 }));
  const endTime = catchTimer(wallMs);
  const running = convertSlowly.run(ctx, { id }, attempt);
  const state = async () => (await findContent(ctx, id))?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('readable');
  endTime();
  await running;
  const { rows } = await ctx.db.execute<{ key: string }>(
    sql`select singleton_key as key from pgboss.job
      where name = 'convert-slowly' and data->>'id' = ${String(id)}`,
  );
  expect(rows).toEqual([{ key: `${id}:again` }]);
  expect(await findContent(ctx, id)).toMatchObject({ state: 'readable', reason: '' });
});
