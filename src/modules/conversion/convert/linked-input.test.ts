import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { testApp } from '#testing/test-app.ts';
import { makePdf } from '../document-files.fixture.ts';
import type { ConverterEvent } from '../sandboxed/events.ts';
import { conversionLimits } from './limits.ts';
import { runLibreOffice } from './run-libreoffice.ts';
import { runSandboxedConverter } from './run-sandboxed-converter.ts';

const { ctx } = await testApp();
const limits = await conversionLimits(ctx);
const { signal } = new AbortController();

/** Work folder after a malicious document took over LibreOffice: the PDF is a link to a file of the site. */
const root = await mkdtemp(path.join(tmpdir(), 'douku-link-'));
afterAll(() => rm(root, { recursive: true }));
const folder = path.join(root, 'work');
await mkdir(path.join(folder, 'office'), { recursive: true });
await writeFile(path.join(root, 'secret.pdf'), makePdf({ text: () => 'secret' }));
await writeFile(path.join(folder, 'office', 'real.pdf'), makePdf({ text: () => 'own' }));
await symlink(path.join(root, 'secret.pdf'), path.join(folder, 'office', 'document.pdf'));
await symlink(root, path.join(folder, 'elsewhere'));

async function render(name: string): Promise<ConverterEvent[]> {
  const events: ConverterEvent[] = [];
  await runSandboxedConverter({
    task: 'pdf',
    input: path.join(folder, name),
    folder,
    options: { from: 1, first: 2, text: false, skip: [], parallel: 2 },
    limits: limits.render,
    workload: new Workload(0),
    signal,
    onEvent: (event) => events.push(event),
  });
  return events;
}

test('the renderer draws a PDF that LibreOffice wrote into the work folder', async () => {
  expect(await render('office/real.pdf')).toContainEqual(expect.objectContaining({ type: 'page', page: 1 }));
});

test.each(['office/document.pdf', 'elsewhere/secret.pdf'])(
  'the renderer rejects %s, which links from the work folder to a file outside',
  async (name) => {
    await expect(render(name)).rejects.toThrow('文档试图读取不属于它的文件，已停止转换');
  },
);

test('LibreOffice rejects an input in the work folder that is a link', async () => {
  const input = path.join(folder, 'office/document.pdf');
  const task = { input, folder, format: 'odt', limits, workload: new Workload(0), signal } as const;
  await expect(runLibreOffice('/usr/bin/true', task, 'pdf')).rejects.toThrow('文档试图读取不属于它的文件，已停止转换');
});
