import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { makeOfd, ofdFonts, ofdImage, ofdMedia, ofdRectangle, ofdText } from '../../ofd.fixture.ts';
import { readPageSizes } from '../pdf-page.ts';
import { convertOfd } from './convert-ofd.ts';
import { openConvertedOfd } from './converted-ofd.fixture.ts';

const PAGE = 'Doc_0/Pages/Page_0/Content.xml';
const MB = 1024 * 1024;

async function rejectionOf(file: Buffer): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'douku-ofd-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'in.ofd'), file);
  const error = await convertOfd({ file: path.join(folder, 'in.ofd'), folder }, () => {}).catch(
    (failure: unknown) => failure,
  );
  return error instanceof Error && 'reason' in error ? String(error.reason) : 'none';
}

test.each([
  ['is not a ZIP file', Buffer.from('OFD'), 'damaged'],
  ['is truncated', makeOfd().subarray(0, 700), 'damaged'],
  ['has no OFD.xml', writeZip([{ name: 'a.xml', body: '<a/>' }]), 'damaged'],
  ['has no document', makeOfd({ members: { 'Doc_0/Document.xml': null } }), 'damaged'],
  ['has no pages', makeOfd({ pages: [] }), 'empty'],
  ['has more pages than the site can store', makeOfd({ documentTail: '', members: documentWithPages() }), 'tooLarge'],
  ['has elements nested too deeply', makeOfd({ pages: ['<ofd:PageBlock>'.repeat(5_000)] }), 'nested'],
  ['has a page that unpacks to 17 MB', makeOfd({ members: { [PAGE]: Buffer.alloc(17 * MB, ' ') } }), 'bomb'],
  ['has a page of many elements', makeOfd({ pages: ['<a/>'.repeat(400_000)] }), 'tooLarge'],
])('convertOfd rejects a file that %s', async (_, file, reason) => {
  expect(await rejectionOf(file)).toBe(reason);
});

function documentWithPages() {
  const pages = '<Page ID="1" BaseLoc="P.xml"/>'.repeat(100_000);
  return { 'Doc_0/Document.xml': `<Document><CommonData/><Pages>${pages}</Pages></Document>` };
}

test('locations name only members of the file, also with parent folders and file names of the system', async () => {
  const head = '<ofd:Template TemplateID="901"/>';
  const members = {
    'Doc_0/T0.xml': null,
    'etc/passwd': 'not read from the system',
    'Doc_0/PublicRes.xml': `<Res BaseLoc="../../../../">${ofdMedia('/etc/passwd', '..\\..\\etc/hostname', 'file:///etc/hosts')}</Res>`,
  };
  const objects = [501, 502, 503].map((resource) => ofdImage(resource, 0, 0, 9, 9)).join('');
  const { text } = await openConvertedOfd(makeOfd({ pages: [{ head, objects }], templates: [''], members }));
  expect(text().replaceAll('\n', '')).toBe(
    '本页有内容无法显示：模板（文件中缺少）、图片（格式无法读取）、图片（文件中缺少）',
  );
});

test('entities of a document type are not expanded', async () => {
  const entities =
    '<!DOCTYPE Page [<!ENTITY a "甲甲甲甲"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const page = `${entities}<Page><Content><Layer>${ofdText('乙&b;&f;', { x: 5, y: 5, size: 3, delta: 'g 9 3' })}</Layer></Content></Page>`;
  const { text } = await openConvertedOfd(makeOfd({ resources: ofdFonts('宋体'), members: { [PAGE]: page } }));
  expect(text().replaceAll(' ', '')).toBe('乙&b;&f;');
});

test('huge and broken numbers give a page of a limited size', async () => {
  const objects =
    ofdRectangle(0, 0, 10, 10, '255 0 0').replace('L 10 0', 'L 1e308 -1e308 L NaN 0') +
    ofdText('大', { x: 1e300, y: 0, size: 1e300, attributes: 'CTM="1e300 0 0 1e300 0 0" HScale="1e300"' }) +
    ofdText('小', { x: 0, y: 0, size: 1e-300 }) +
    ofdImage(1, -1e300, 0, Number.NaN, 0);
  const head = '<ofd:Area><ofd:PhysicalBox>-1e300 1e300 1e300 0.0001</ofd:PhysicalBox></ofd:Area>';
  const { pdf } = await openConvertedOfd(makeOfd({ pages: [{ head, objects }], resources: ofdFonts('宋体') }));
  const [size] = readPageSizes(pdf, ({ width, height }) => ({ width, height }));
  expect(size?.width).toBeCloseTo((5_000 / 25.4) * 72, 0);
  expect(size?.height).toBeCloseTo(72 / 25.4, 1);
});
