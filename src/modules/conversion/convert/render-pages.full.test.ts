import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, convertOnce } from '../conversion.fixture.ts';
import { heavyPdf, makeDocx, makePdf } from '../document-files.fixture.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';
import { derivedKeys } from '../rendition-keys.ts';
import type { Attempt } from './attempt.ts';
import { SliceUsedUp } from './conversion-errors.ts';
import { renderLimits } from './limits.ts';

const { ctx } = await testApp();
const hasWalls = await canIsolate();
const hasSubstitutes = hasWalls && (await findProgram('pdftoppm')) !== null;
const hasOffice = hasSubstitutes && (await findProgram('soffice')) !== null;

const { cpuSeconds } = renderLimits;
afterEach(() => {
  renderLimits.cpuSeconds = cpuSeconds;
});

/** Paper is white; the note that a page cannot be shown stands on grey. */
async function cornerOf(id: number, page: number): Promise<number[]> {
  const content = await findRendition(ctx, id);
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
  'a page that an earlier attempt could not draw is drawn by another program: %s',
  async (_, name, bytes, page) => {
    const { id } = await addRendition(ctx, name, bytes);
    await ctx.db
      .update(renditions)
      .set({ skip_pages: [page] })
      .where(eq(renditions.id, id));
    await convertOnce(ctx, id);
    expect(await findRendition(ctx, id)).toMatchObject({ state: 'ready' });
    expect(await cornerOf(id, page)).toEqual([255, 255, 255]);
  },
);

/** Ends the workshops of this process as a system short of memory would, not the walls around them. */
async function killWorkshops(): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    if (!/^\d+$/.test(name) || !(await read('cmdline')).includes('sandboxed/main.ts')) continue;
    parents.set(Number(name), Number(/\) \S (\d+)/.exec(await read('stat'))?.[1] ?? 0));
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  const inner = [...parents.keys()].filter((pid) => ![...parents.values()].includes(pid));
  const ours = inner.filter(isOurs);
  for (const pid of ours) process.kill(pid, 'SIGKILL');
  return ours.length;
}

test('a workshop the system killed early is begun again, and no page is blamed', async () => {
  const { id } = await addRendition(ctx, '被杀.pdf', makePdf({ pages: 100 }));
  const running = convertOnce(ctx, id);
  const ready = async () => (await findRendition(ctx, id))?.ready_pages ?? 0;
  await expect.poll(ready).toBeGreaterThan(2);
  expect(await killWorkshops()).toBeGreaterThan(0);
  await running;
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'ready',
    ready_pages: 100,
    reason: '',
  });
});

test('a long document that reached its limit of processor time goes on from its last page', async () => {
  const { id } = await addRendition(ctx, '很长.pdf', makePdf({ pages: 2_000 }));
  renderLimits.cpuSeconds = 4;
  await convertOnce(ctx, id);
  const content = await findRendition(ctx, id);
  expect(content).toMatchObject({
    state: 'readable',
    reason: '',
    attempts: 1,
    queue_level: 2,
    skip_pages: [],
  });
  expect(content?.ready_pages).toBeGreaterThan(0);
  expect(content?.convert_after).not.toBeNull();
});

test('a document that shows nothing within the limit of processor time fails without another try', async () => {
  const { id } = await addRendition(ctx, '沉重.pdf', heavyPdf(12));
  renderLimits.cpuSeconds = 3;
  await convertOnce(ctx, id);
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'failed',
    reason: '转换超时，文档可能过大或过于复杂',
    attempts: 1,
    convert_after: null,
  });
});

test('a readable document that is asked to stop is queued in the background and then completed', async () => {
  const { id } = await addRendition(ctx, '让路.pdf', makePdf({ pages: 301 }));
  const state = async () => (await findRendition(ctx, id))?.state;
  const { promise: attempt, resolve: start } = Promise.withResolvers<Attempt>();
  const running = convertOnce(ctx, id, undefined, start);
  await expect.poll(state, { interval: 20 }).toBe('readable');
  expect((await attempt).isReadable).toBe(true);
  (await attempt).isStopRequested = true;
  await running;
  const stopped = await findRendition(ctx, id);
  expect(stopped).toMatchObject({ state: 'readable', queue_level: 1, attempts: 1 });
  expect(stopped?.ready_pages).toBeLessThan(301);
  await convertOnce(ctx, id);
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'ready',
    ready_pages: 301,
    queue_level: 0,
    convert_after: null,
  });
});

test.runIf(hasOffice)(
  'an office document that is interrupted after LibreOffice continues from the stored PDF',
  async () => {
    const { id } = await addRendition(ctx, '中断.docx', makeDocx('只转换一次'));
    const controller = new AbortController();
    const running = convertOnce(ctx, id, controller.signal);
    const hasPdf = async () => (await findRendition(ctx, id))?.has_pdf;
    await expect.poll(hasPdf, { interval: 10 }).toBe(true);
    controller.abort(new SliceUsedUp());
    await running;
    const interrupted = await findRendition(ctx, id);
    // On a fast machine the page may be stored before the abort arrives.
    if (interrupted?.state !== 'ready')
      expect(interrupted).toMatchObject({ state: 'waiting', queue_level: 1, has_pdf: true });
    await ctx.db.update(renditions).set({ state: 'waiting' }).where(eq(renditions.id, id));
    const emptyFolder = await mkdtemp(path.join(tmpdir(), 'douku-path-'));
    for (const name of ['prlimit', 'bwrap', 'node'])
      await symlink((await findProgram(name)) ?? '', path.join(emptyFolder, name));
    vi.stubEnv('PATH', emptyFolder);
    await convertOnce(ctx, id).finally(() => vi.unstubAllEnvs());
    await rm(emptyFolder, { recursive: true });
    expect(await findRendition(ctx, id)).toMatchObject({ state: 'ready', reason: '' });
  },
);
