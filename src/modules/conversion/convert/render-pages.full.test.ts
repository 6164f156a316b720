import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, convertOnce } from '../conversion.fixture.ts';
import { heavyPdf, makeDocx, makePdf } from '../document-files.fixture.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';
import { renditionStorageKeys } from '../rendition-keys.ts';
import type { Attempt } from './attempt.ts';
import { TimeSliceExceeded } from './conversion-errors.ts';
import { renderLimits } from './limits.ts';

const { ctx } = await testApp();
const hasSandbox = await isSandboxAvailable();
const hasSubstitutes = hasSandbox && (await findProgram('pdftoppm')) !== null;
const hasOffice = hasSubstitutes && (await findProgram('soffice')) !== null;

const { cpuSeconds } = renderLimits;
afterEach(() => {
  renderLimits.cpuSeconds = cpuSeconds;
});

/** A drawn page is white; the placeholder of an undrawable page is grey. */
async function readCornerColor(id: number, page: number): Promise<number[]> {
  const rendition = await findRendition(ctx, id);
  if (!rendition) throw new Error(`no rendition ${id}`);
  const image = await buffer((await ctx.storage.get(renditionStorageKeys(rendition).page(page))).stream);
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
    expect(await readCornerColor(id, page)).toEqual([255, 255, 255]);
  },
);

/** Kills the sandboxed converters of this process, but not their sandboxes, as the kernel does when memory runs out. */
async function killSandboxedConverters(): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    if (!/^\d+$/.test(name) || !(await read('cmdline')).includes('sandboxed/main.ts')) continue;
    parents.set(Number(name), Number(/\) \S (\d+)/.exec(await read('stat'))?.[1] ?? 0));
  }
  const isDescendant = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && isDescendant(parents.get(pid) ?? 0));
  const leafPids = [...parents.keys()].filter((pid) => ![...parents.values()].includes(pid));
  const ownedPids = leafPids.filter(isDescendant);
  for (const pid of ownedPids) process.kill(pid, 'SIGKILL');
  return ownedPids.length;
}

test('a conversion whose sandboxed converter was killed by the system restarts it and skips no page', async () => {
  const { id } = await addRendition(ctx, '被杀.pdf', makePdf({ pages: 100 }));
  const conversion = convertOnce(ctx, id);
  const countReadyPages = async () => (await findRendition(ctx, id))?.ready_pages ?? 0;
  await expect.poll(countReadyPages).toBeGreaterThan(2);
  expect(await killSandboxedConverters()).toBeGreaterThan(0);
  await conversion;
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'ready',
    ready_pages: 100,
    reason: '',
  });
});

test('a long document that reached its limit of processor time is queued to continue from its last page', async () => {
  const { id } = await addRendition(ctx, '很长.pdf', makePdf({ pages: 2_000 }));
  renderLimits.cpuSeconds = 4;
  await convertOnce(ctx, id);
  const rendition = await findRendition(ctx, id);
  expect(rendition).toMatchObject({
    state: 'readable',
    reason: '',
    attempts: 1,
    queue_level: 2,
    skip_pages: [],
  });
  expect(rendition?.ready_pages).toBeGreaterThan(0);
  expect(rendition?.convert_after).not.toBeNull();
});

test('a document without a page within the limit of processor time fails without a retry', async () => {
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
  const conversion = convertOnce(ctx, id, undefined, start);
  await expect.poll(state, { interval: 20 }).toBe('readable');
  const runningAttempt = await attempt;
  // The worker learns of its own write a little later than this test.
  await expect.poll(() => runningAttempt.isReadable, { interval: 5 }).toBe(true);
  runningAttempt.isStopRequested = true;
  await conversion;
  const stoppedRendition = await findRendition(ctx, id);
  expect(stoppedRendition).toMatchObject({ state: 'readable', queue_level: 1, attempts: 1 });
  expect(stoppedRendition?.ready_pages).toBeLessThan(301);
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
    const conversion = convertOnce(ctx, id, controller.signal);
    const hasPdf = async () => (await findRendition(ctx, id))?.has_pdf;
    await expect.poll(hasPdf, { interval: 10 }).toBe(true);
    controller.abort(new TimeSliceExceeded());
    await conversion;
    const interruptedRendition = await findRendition(ctx, id);
    // On a fast machine the page may be stored before the abort arrives.
    if (interruptedRendition?.state !== 'ready')
      expect(interruptedRendition).toMatchObject({ state: 'waiting', queue_level: 1, has_pdf: true });
    await ctx.db.update(renditions).set({ state: 'waiting' }).where(eq(renditions.id, id));
    const pathFolder = await mkdtemp(path.join(tmpdir(), 'douku-path-'));
    for (const name of ['prlimit', 'bwrap', 'node'])
      await symlink((await findProgram(name)) ?? '', path.join(pathFolder, name));
    vi.stubEnv('PATH', pathFolder);
    await convertOnce(ctx, id).finally(() => vi.unstubAllEnvs());
    await rm(pathFolder, { recursive: true });
    expect(await findRendition(ctx, id)).toMatchObject({ state: 'ready', reason: '' });
  },
);
