import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { makeDocx } from './document-files.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { makeOds, odsRow } from './workbook.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const office = (await isSandboxAvailable()) ? await findProgram('soffice') : null;
const folder = await mkdtemp(path.join(tmpdir(), 'douku-variants-'));
afterAll(() => rm(folder, { recursive: true }));
const samples = path.join(projectRoot, '../shared/samples');

/** Converts a file; returns its format, view and text. */
async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  const { format, state, reason, view } = rendition;
  if (state !== 'ready') return { format, state, reason, view, plainText: '' };
  const plainText = await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream);
  return { format, state, reason, view, plainText: plainText.replace(/\s+/g, ' ') };
}

/** Skipped where the folder of samples beside the checkout is missing. */
test.runIf(office && existsSync(samples)).each([
  ['docm/testWORD_macros.docm', 'docx', 'pages', 'The quick brown fox'],
  ['dotm/testDOTM.dotm', 'docx', 'pages', ''],
  ['pptm/testPPT_macros.pptm', 'pptx', 'pages', ''],
  ['xlsm/testEXCEL_macro.xlsm', 'xlsx', 'sheet', 'This is a blank worksheet'],
  ['xltx/testEXCEL_template.xltx', 'xlsx', 'sheet', 'this is a template'],
  ['xlsb/testEXCEL_charts.xlsb', 'xlsb', 'sheet', 'January'],
])('the sample %s is converted like its family', async (name, format, view, words) => {
  const bytes = await readFile(path.join(samples, name));
  const rendition = await convert(path.basename(name), bytes);
  expect(rendition).toMatchObject({ format, view, state: 'ready', reason: '' });
  expect(rendition.plainText).toContain(words);
  // Without the end, the directory of the archive is missing.
  expect(await convert(`残缺${path.extname(name)}`, bytes.subarray(0, 4_000))).toMatchObject({
    state: 'failed',
    reason: '文档已损坏，无法打开',
  });
});

describe.runIf(office)('an OpenDocument template or flat document', () => {
  async function convertWithLibreOffice(from: { name: string; bytes: Buffer | string }, kind: string) {
    await writeFile(path.join(folder, from.name), from.bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    const args = ['--headless', '--norestore', profile, '--convert-to', kind, from.name];
    await promisify(execFile)(office ?? '', args, { cwd: folder, env });
    return readFile(path.join(folder, `${path.parse(from.name).name}.${kind.split(':')[0]}`));
  }
  const slides = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation><draw:page draw:name="one"><draw:frame svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Seen on the first slide</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document>`;

  test('with text (.ott) is converted into pages', async () => {
    const bytes = await convertWithLibreOffice(
      { name: 'letter.docx', bytes: makeDocx('Dear template reader') },
      'ott:writer8_template',
    );
    const rendition = await convert('信函.ott', bytes);
    expect(rendition).toMatchObject({ format: 'odt', state: 'ready', view: 'pages' });
    expect(rendition.plainText).toContain('Dear template reader');
  });

  test('with slides (.otp, .fodp) is converted into pages', async () => {
    const template = await convertWithLibreOffice({ name: 'show.fodp', bytes: slides }, 'otp:impress8_template');
    for (const rendition of [await convert('模板.otp', template), await convert('演示.fodp', Buffer.from(slides))]) {
      expect(rendition).toMatchObject({ state: 'ready', reason: '', view: 'pages' });
      expect(rendition.plainText).toContain('Seen on the first slide');
    }
  });

  test('with tables (.ots) is converted into sheets', async () => {
    const table = `<table:table table:name="表">${odsRow(['template cell'])}</table:table>`;
    expect(await convert('预算.ots', makeOds('', table))).toMatchObject({
      format: 'ods',
      view: 'sheet',
      plainText: 'template cell',
    });
  });
});

/** A document whose macro replaces its text when it is opened. */
const documentWithMacro = () => {
  const library = 'xmlns:library="http://openoffice.org/2000/library" library:name="Standard"';
  const listener =
    '<script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/>';
  const parts = {
    'Basic/script-lc.xml': `<library:libraries xmlns:library="http://openoffice.org/2000/library"><library:library library:name="Standard" library:link="false"/></library:libraries>`,
    'Basic/Standard/script-lb.xml': `<library:library ${library} library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
    'Basic/Standard/Module1.xml':
      '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main\nThisComponent.Text.String = "MACRO TRACE"\nEnd Sub</script:module>',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:ooo="http://openoffice.org/2004/office" office:version="1.2"><office:scripts><office:event-listeners>${listener}</office:event-listeners></office:scripts><office:body><office:text><text:p>original text</text:p></office:text></office:body></office:document-content>`,
  };
  const mimetype = 'application/vnd.oasis.opendocument.text';
  const entries = ['/', ...Object.keys(parts)].map(
    (name) =>
      `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="${name === '/' ? mimetype : 'text/xml'}"/>`,
  );
  const manifest = `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">${entries.join('')}</manifest:manifest>`;
  return writeZip([
    { name: 'mimetype', body: mimetype, isStored: true },
    { name: 'META-INF/manifest.xml', body: manifest },
    ...Object.entries(parts).map(([name, body]) => ({ name, body })),
  ]);
};

test.runIf(office)('the macro of a document does not run while the document is converted', async () => {
  const rendition = await convert('宏.ott', documentWithMacro());
  expect(rendition).toMatchObject({ state: 'ready', reason: '', view: 'pages' });
  expect(rendition.plainText.trim()).toBe('original text');
});
