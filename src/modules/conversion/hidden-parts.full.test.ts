import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { hasTrackedChanges } from './convert/has-tracked-changes.ts';
import { docxWithDeletedRows } from './deleted-rows.fixture.ts';
import { docxWithHiddenParts, makeDocx, slidesWithHiddenParts } from './document-files.fixture.ts';
import { docxToFlatOpc } from './markup.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const office = (await isSandboxAvailable()) ? await findProgram('soffice') : null;
const folder = await mkdtemp(path.join(tmpdir(), 'douku-hidden-'));
afterAll(() => rm(folder, { recursive: true }));

async function convertWithLibreOffice(name: string, format: string): Promise<Buffer> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await promisify(execFile)(office ?? '', ['--headless', '--norestore', profile, '--convert-to', format, name], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
  });
  return readFile(path.join(folder, `${path.parse(name).name}.${format}`));
}

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  if (rendition.state === 'failed') return { ...rendition, plainText: '', outline: [] };
  const keys = renditionStorageKeys(rendition);
  const plainText = await text((await ctx.storage.get(keys.text)).stream);
  const { outline } = JSON.parse(await text((await ctx.storage.get(keys.meta)).stream));
  return { ...rendition, plainText: plainText.replace(/\s+/g, ' ').trim(), outline };
}

describe.runIf(office)('a text document with tracked changes, comments and hidden text', () => {
  beforeAll(() => writeFile(path.join(folder, 'text.docx'), docxWithHiddenParts()));

  test.each(['修订.doc', '修订.xml'])(
    'is converted from flat OPC named %s in its final version, without comments and hidden text',
    async (name) => {
      const { format, state, plainText, summary } = await convert(
        name,
        Buffer.from(docxToFlatOpc(docxWithHiddenParts())),
      );
      expect({ format, state }).toEqual({ format: 'flatopc', state: 'ready' });
      expect(plainText).toBe('Start inserted end. After hidden text. Commented text. Last line.');
      expect(summary).not.toMatch(/DELETED|MOVED|VANISHED|COMMENT/);
    },
  );

  test.each(['docx', 'doc', 'rtf', 'odt'])(
    'is converted from %s in its final version, without comments and hidden text',
    async (format) => {
      const bytes = format === 'docx' ? docxWithHiddenParts() : await convertWithLibreOffice('text.docx', format);
      const file = path.join(folder, `check.${format}`);
      await writeFile(file, bytes);
      expect(await hasTrackedChanges(file, format as 'docx')).toBe(true);
      const { state, plainText, summary } = await convert(`修订.${format}`, bytes);
      expect(state).toBe('ready');
      expect(plainText).toBe('Start inserted end. After hidden text. Commented text. Last line.');
      expect(summary).not.toMatch(/DELETED|MOVED|VANISHED|COMMENT/);
    },
  );

  test('is distinguished from a document without tracked changes', async () => {
    await writeFile(path.join(folder, 'plain.docx'), makeDocx('No changes at all'));
    for (const format of ['docx', 'doc', 'rtf', 'odt'] as const) {
      if (format !== 'docx') await convertWithLibreOffice('plain.docx', format);
      expect(await hasTrackedChanges(path.join(folder, `plain.${format}`), format)).toBe(false);
    }
  });
});

describe.runIf(office)('a docx file with table rows and cells that a tracked change deletes', () => {
  test.each([
    ['the default prefix', 'w:', 'utf8'],
    ['another prefix', 'word:', 'utf8'],
    ['no prefix', '', 'utf8'],
    ['the encoding UTF-16', 'w:', 'utf16le'],
  ] as const)('is converted without them when its markup has %s', async (_, prefix, encoding) => {
    const { state, plainText } = await convert('表格.docx', docxWithDeletedRows({ prefix, encoding }));
    expect({ state, plainText }).toEqual({
      state: 'ready',
      plainText: 'Before. First row Inserted row Last Between. After.',
    });
  });
});

describe.runIf(office)('a flat OPC file', () => {
  test('with table rows and cells that a tracked change deletes is converted without them', async () => {
    const docx = docxWithDeletedRows({ prefix: 'w:', encoding: 'utf8' });
    const { state, plainText } = await convert('表格.doc', Buffer.from(docxToFlatOpc(docx)));
    expect({ state, plainText }).toEqual({
      state: 'ready',
      plainText: 'Before. First row Inserted row Last Between. After.',
    });
  });

  test('in UTF-16 is converted', async () => {
    const xml = docxToFlatOpc(makeDocx('Wide letters')).replace('UTF-8', 'UTF-16');
    const { state, plainText } = await convert('宽.doc', Buffer.from(`\ufeff${xml}`, 'utf16le'));
    expect({ state, plainText }).toEqual({ state: 'ready', plainText: 'Wide letters' });
  });

  test('of more than 64 MB fails with that reason', async () => {
    const xml = docxToFlatOpc(makeDocx('large')).replace(
      '<pkg:part',
      `<!--${' '.repeat(65 * 1024 * 1024)}--><pkg:part`,
    );
    expect(await convert('很大.doc', Buffer.from(xml))).toMatchObject({
      state: 'failed',
      reason: '文档过大，无法处理',
    });
  });
});

describe.runIf(office)('conversion of slides', () => {
  beforeAll(async () => {
    await writeFile(path.join(folder, 'slides.fodp'), slidesWithHiddenParts([2]));
    await writeFile(path.join(folder, 'hidden.fodp'), slidesWithHiddenParts([1, 2, 3]));
  });

  test.each([
    ['odp', ['s1', 's3']],
    ['pptx', ['幻灯片 1', '幻灯片 2']],
    ['ppt', ['幻灯片 1', '幻灯片 2']],
  ])('from %s leaves out hidden slides, comments and speaker notes in pages and outline', async (format, titles) => {
    const bytes = await convertWithLibreOffice('slides.fodp', format);
    const { state, pages, plainText, outline } = await convert(`幻灯片.${format}`, bytes);
    expect({ state, pages, plainText }).toEqual({
      state: 'ready',
      pages: 2,
      plainText: 'Slide 1 Slide 3',
    });
    expect(outline).toEqual(titles.map((title, index) => ({ depth: 0, title, page: index + 1 })));
  });

  test('fails with the reason when all slides are hidden', async () => {
    const { state, reason } = await convert('全部隐藏.pptx', await convertWithLibreOffice('hidden.fodp', 'pptx'));
    expect(state).toBe('failed');
    expect(reason).toMatch(/没有可以显示的幻灯片/);
  });
});
