import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
/** Real files beside the checkout; they may be missing. */
const sampleFolder = path.join(projectRoot, '../shared/samples/xps');
const hasSamples = existsSync(sampleFolder);
const canConvert = (await isSandboxAvailable()) && (await findProgram('mutool')) !== null;

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  return waitForRendition(ctx, id);
}

/** A document of one page with a path that shows an image at `source`. */
const xpsDocument = (source: string, pageCount = 1) =>
  writeZip([
    {
      name: '[Content_Types].xml',
      body: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="fpage" ContentType="application/vnd.ms-package.xps-fixedpage+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      body: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="R1" Type="http://schemas.microsoft.com/xps/2005/06/fixedrepresentation" Target="/Sequence.fdseq"/></Relationships>',
    },
    {
      name: 'Sequence.fdseq',
      body: '<FixedDocumentSequence xmlns="http://schemas.microsoft.com/xps/2005/06"><DocumentReference Source="/Document.fdoc"/></FixedDocumentSequence>',
    },
    {
      name: 'Document.fdoc',
      body: `<FixedDocument xmlns="http://schemas.microsoft.com/xps/2005/06">${'<PageContent Source="/1.fpage"/>'.repeat(pageCount)}</FixedDocument>`,
    },
    {
      name: '1.fpage',
      body: `<FixedPage xmlns="http://schemas.microsoft.com/xps/2005/06" Width="400" Height="300" xml:lang="en"><Path Data="M 0 0 L 100 0 100 100 z" Fill="#ff0000"/><Path Data="M 0 0 L 50 0 50 50 z"><Path.Fill><ImageBrush ImageSource="${source}" Viewbox="0 0 9 9" Viewport="0 0 9 9" ViewboxUnits="Absolute" ViewportUnits="Absolute"/></Path.Fill></Path></FixedPage>`,
    },
  ]);

test.runIf(hasSamples && canConvert).each([
  ['test_text.xps', 'Parts of this are in italics and bold.'],
  ['testXLSX.xps', 'foo bar baz'],
])('the real document %s becomes a page with its text', async (name, line) => {
  const rendition = await convert(name, await readFile(path.join(sampleFolder, name)));
  expect(rendition).toMatchObject({ format: 'xps', state: 'ready', view: 'pages', pages: 1, scanned_pages: 0 });
  const plainText = await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream);
  expect(plainText.replace(/\s+/g, ' ')).toContain(line);
});

test.runIf(canConvert)('an XPS document that refers to files of the server or the web shows neither', async () => {
  for (const source of ['file:///etc/passwd', 'http://127.0.0.1:9/a.png', '../../../etc/passwd'])
    expect(await convert('外链.xps', xpsDocument(source))).toMatchObject({
      state: expect.stringMatching(/ready|failed/),
      text_size: 0,
    });
});

test.runIf(canConvert)('a broken or truncated XPS document fails with its reason', async () => {
  const withoutSequence = writeZip([{ name: 'Documents/1/Pages/1.fpage', body: '<FixedPage' }]);
  const truncatedFile = xpsDocument('/missing.png').subarray(0, -30);
  expect(await convert('坏.xps', withoutSequence)).toMatchObject({ state: 'failed', reason: '文档已损坏，无法打开' });
  await expect(convert('半.xps', truncatedFile)).rejects.toThrow('ZIP 压缩包');
});
