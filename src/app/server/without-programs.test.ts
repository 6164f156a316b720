import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { writeUmd } from '#app/demo/write-umd.ts';
import { addRendition, waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makeDocx, makeEpub, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { findRendition } from '#modules/conversion/rendition.ts';
import { diagnoseSite } from '#modules/dashboard/diagnose-site.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { testApp } from '#testing/test-app.ts';

const programs = await mkdtemp(path.join(tmpdir(), 'douku-path-'));
for (const name of ['prlimit', 'setpriv', 'nice', 'sh']) await symlink(`/usr/bin/${name}`, path.join(programs, name));
vi.stubEnv('PATH', programs);
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(programs, { recursive: true });
});
const { ctx } = await testApp({ runJobs: true, conversions: 'real' });

test('PDF, text and book files are converted without LibreOffice and without a sandbox', async () => {
  expect(await isSandboxAvailable()).toBe(false);
  const sections = [{ title: '第一章', blocks: [{ kind: 'text' as const, text: '山中何事，松花酿酒。' }] }];
  const renditions = await Promise.all([
    addRendition(ctx, '一.pdf', makePdf({ pages: 2, text: () => 'no walls' })),
    addRendition(ctx, '二.txt', Buffer.from('没有沙箱，也能阅读。')),
    addRendition(ctx, '三.epub', makeEpub([{ title: '一', html: '<p>没有沙箱</p>' }])),
    addRendition(ctx, '四.umd', writeUmd({ title: '山居', author: '豆库', sections })),
  ]);
  const convertedRenditions = await Promise.all(renditions.map(({ id }) => waitForRendition(ctx, id)));
  expect(convertedRenditions.map(({ state, reason }) => [state, reason])).toEqual(
    Array.from(renditions, () => ['ready', '']),
  );
  expect(convertedRenditions.every(({ text_size }) => text_size > 0)).toBe(true);
});

test('office documents wait with a reason, and diagnoseSite reports the missing programs', async () => {
  const { id } = await addRendition(ctx, '等待.docx', makeDocx('等到了'));
  await expect.poll(async () => (await findRendition(ctx, id))?.reason).toBe('等待安装 沙箱 bubblewrap 后转换');
  expect((await findRendition(ctx, id))?.state).toBe('waiting');
  const problemFindings = (await diagnoseSite(ctx)).filter(({ state }) => state !== 'ok');
  expect(problemFindings.map(({ name }) => name)).toEqual(expect.arrayContaining(['LibreOffice Writer', 'bubblewrap']));
});

test('diagnoseSite reports missing converters as not needed on a node with MODE=web', async () => {
  const findings = await diagnoseSite({ ...ctx, config: { ...ctx.config, mode: 'web' } });
  expect(findings.find(({ name }) => name === 'LibreOffice Writer')).toMatchObject({
    state: 'ok',
    detail: '没有安装，这个节点只提供网站，不需要',
  });
});
