import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, settled } from './conversion.fixture.ts';
import { makeDocx, makePdf } from './document-files.fixture.ts';
import { reconvert } from './reconvert.ts';
import { renditions } from './rendition.table.ts';
import { findRendition, pipelineVersion, takeLease } from './rendition.ts';
import { derivedKeys } from './rendition-keys.ts';
import { requestPage } from './request-page.ts';
import { requeueWaiting } from './requeue-waiting.ts';

const { ctx } = await testApp({ work: true, conversions: 'real' });
const idle = await testApp();
const hasOffice = (await canIsolate()) && (await findProgram('soffice')) !== null;

afterEach(() => vi.unstubAllEnvs());

describe.runIf(hasOffice)('without LibreOffice', () => {
  test('office documents wait and say for what; they are converted once it is there', async () => {
    const nowhere = await mkdtemp(path.join(tmpdir(), 'douku-path-'));
    for (const name of ['prlimit', 'bwrap']) await symlink((await findProgram(name)) ?? '', path.join(nowhere, name));
    vi.stubEnv('PATH', nowhere);
    const { id } = await addRendition(ctx, '等待.docx', makeDocx('等到了'));
    const pdf = await addRendition(ctx, '不用等.pdf', makePdf({ text: () => 'at once' }));
    await expect.poll(async () => (await findRendition(ctx, id))?.reason).toBe('等待安装 LibreOffice 后转换');
    expect((await findRendition(ctx, id))?.state).toBe('waiting');
    expect((await settled(ctx, pdf.id)).state).toBe('ready');
    vi.unstubAllEnvs();
    await requeueWaiting.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    expect(await settled(ctx, id)).toMatchObject({ state: 'ready', reason: '' });
    await rm(nowhere, { recursive: true });
  });
});

test('equal files are converted once', async () => {
  const bytes = makePdf({ text: () => 'the same' });
  const first = await addRendition(ctx, '一.pdf', bytes);
  const ready = await settled(ctx, first.id);
  const second = await addRendition(ctx, '二.pdf', bytes);
  expect(second.id).toBe(first.id);
  expect((await findRendition(ctx, first.id))?.ready_at).toBe(ready.ready_at);
});

test('converting anew gives the very same pages', async () => {
  const { id } = await addRendition(ctx, '再来.pdf', makePdf({ pages: 3, text: (page) => `again ${page}` }));
  const before = await settled(ctx, id);
  const keys = derivedKeys(before);
  const read = () =>
    Promise.all([1, 2, 3].map(async (page) => buffer((await ctx.storage.get(keys.page(page))).stream)));
  const pages = await read();
  await reconvert(ctx, [id]);
  expect((await findRendition(ctx, id))?.state).not.toBe('ready');
  await settled(ctx, id);
  expect((await read()).map((page, index) => page.equals(pages[index] as Buffer))).toEqual([true, true, true]);
});

test('what an older pipeline made is made anew when the file comes again', async () => {
  const bytes = makePdf({ text: () => 'old' });
  const { id } = await addRendition(ctx, '旧.pdf', bytes);
  await settled(ctx, id);
  await ctx.db
    .update(renditions)
    .set({ version: pipelineVersion('pdf') - 1 })
    .where(eq(renditions.id, id));
  await addRendition(ctx, '旧.pdf', bytes);
  await expect.poll(async () => (await findRendition(ctx, id))?.version).toBe(pipelineVersion('pdf'));
});

test('a page somebody waits for is made before the others', async () => {
  const { id } = await addRendition(ctx, '很长.pdf', makePdf({ pages: 1_500, text: (page) => `long ${page}` }));
  const state = () => findRendition(ctx, id);
  await expect.poll(async () => (await state())?.state).toBe('readable');
  await requestPage(ctx, id, 1_490);
  const key = derivedKeys({
    ...((await state()) as NonNullable<Awaited<ReturnType<typeof state>>>),
  }).page(1_490);
  await expect.poll(() => ctx.storage.stat(key)).not.toBeNull();
  expect((await state())?.ready_pages).toBeLessThan(1_490);
  await ctx.db.delete(renditions).where(eq(renditions.id, id));
});

describe('a lease', () => {
  test('a worker that was asleep changes nothing once another has taken over', async () => {
    const { id } = await addRendition(idle.ctx, '租约.pdf', makePdf({ text: () => 'lease' }));
    let isLost = false;
    const sleeper = await takeLease(idle.ctx, id, () => {
      isLost = true;
    });
    expect(await takeLease(idle.ctx, id, () => {})).toBeNull();
    await idle.ctx.db.update(renditions).set({ lease_until: '2000-01-01T00:00:00Z' }).where(eq(renditions.id, id));
    const other = await takeLease(idle.ctx, id, () => {});
    await other?.change({ reason: '另一个' });
    await expect(sleeper?.change({ reason: '睡着的' })).rejects.toThrow();
    expect(isLost).toBe(true);
    expect((await findRendition(idle.ctx, id))?.reason).toBe('另一个');
    await sleeper?.release();
    await other?.release();
  });
});
