import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { makeDocx, makePdf } from './document-files.fixture.ts';
import { renditions } from './rendition.table.ts';
import { findRendition, pipelineVersion, takeLease } from './rendition.ts';
import { requeueAfterProgramInstall } from './requeue-after-program-install.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const siteWithoutWorker = await testApp();
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

afterEach(() => vi.unstubAllEnvs());

describe.runIf(hasOffice)('conversion without LibreOffice', () => {
  test('keeps office documents waiting with the reason and converts them after LibreOffice is installed', async () => {
    const pathFolder = await mkdtemp(path.join(tmpdir(), 'douku-path-'));
    for (const name of ['prlimit', 'bwrap'])
      await symlink((await findProgram(name)) ?? '', path.join(pathFolder, name));
    vi.stubEnv('PATH', pathFolder);
    const { id } = await addRendition(ctx, '等待.docx', makeDocx('等到了'));
    const pdf = await addRendition(ctx, '不用等.pdf', makePdf({ text: () => 'no wait' }));
    await expect.poll(async () => (await findRendition(ctx, id))?.reason).toBe('等待安装 LibreOffice 后转换');
    expect((await findRendition(ctx, id))?.state).toBe('waiting');
    expect((await waitForRendition(ctx, pdf.id)).state).toBe('ready');
    vi.unstubAllEnvs();
    await requeueAfterProgramInstall.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'ready', reason: '' });
    await rm(pathFolder, { recursive: true });
  });
});

test('two uploads of the same file share one conversion', async () => {
  const bytes = makePdf({ text: () => 'the same' });
  const first = await addRendition(ctx, '一.pdf', bytes);
  const ready = await waitForRendition(ctx, first.id);
  const second = await addRendition(ctx, '二.pdf', bytes);
  expect(second.id).toBe(first.id);
  expect((await findRendition(ctx, first.id))?.ready_at).toBe(ready.ready_at);
});

test('a rendition of an older pipeline is converted again when the file is uploaded again', async () => {
  const bytes = makePdf({ text: () => 'old' });
  const { id } = await addRendition(ctx, '旧.pdf', bytes);
  await waitForRendition(ctx, id);
  await ctx.db
    .update(renditions)
    .set({ version: pipelineVersion('pdf') - 1 })
    .where(eq(renditions.id, id));
  await addRendition(ctx, '旧.pdf', bytes);
  await expect.poll(async () => (await findRendition(ctx, id))?.version).toBe(pipelineVersion('pdf'));
});

describe('a conversion lease', () => {
  test('rejects changes of a delayed worker after another worker has taken it over', async () => {
    const { id } = await addRendition(siteWithoutWorker.ctx, '租约.pdf', makePdf({ text: () => 'lease' }));
    let isLost = false;
    const delayedLease = await takeLease(siteWithoutWorker.ctx, id, () => {
      isLost = true;
    });
    expect(await takeLease(siteWithoutWorker.ctx, id, () => {})).toBeNull();
    await siteWithoutWorker.ctx.db
      .update(renditions)
      .set({ lease_until: '2000-01-01T00:00:00Z' })
      .where(eq(renditions.id, id));
    const newLease = await takeLease(siteWithoutWorker.ctx, id, () => {});
    await newLease?.change({ reason: '另一个' });
    await expect(delayedLease?.change({ reason: '睡着的' })).rejects.toThrow();
    expect(isLost).toBe(true);
    expect((await findRendition(siteWithoutWorker.ctx, id))?.reason).toBe('另一个');
    await delayedLease?.release();
    await newLease?.release();
  });
});
