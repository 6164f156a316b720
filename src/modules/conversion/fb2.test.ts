import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { convertToFlowOutput, PIXEL_BASE64 } from './flow-output.fixture.ts';

const fictionBook = (body: string, info = '', binaries = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info>${info}</title-info></description>${body}${binaries}</FictionBook>`;
const convert = (xml: string | Buffer) => convertToFlowOutput('fb2', xml);

test('a FictionBook shows its chapters, verses and images, and lists its sections', async () => {
  const { html, text, meta, images } = await convert(
    fictionBook(
      '<body><title><p>全书</p></title><section><title><p>第一章</p><p>出山</p></title><p>正文<emphasis>强调</emphasis></p><image l:href="#pic"/></section><section><title><p>第二章</p></title><section><title><p>一</p></title><poem><stanza><v>空山新雨后</v><v>天气晚来秋</v></stanza><text-author>王维</text-author></poem></section></section></body>',
      '<author><first-name>维</first-name><last-name>王</last-name></author><book-title>诗文集</book-title><coverpage><image l:href="#pic"/></coverpage>',
      `<binary id="pic" content-type="image/png">${PIXEL_BASE64}</binary>`,
    ),
  );
  expect(meta).toMatchObject({ title: '诗文集', author: '维 王' });
  expect(meta.outline.map(({ depth, title }) => [depth, title])).toEqual([
    [0, '全书'],
    [1, '第一章 出山'],
    [1, '第二章'],
    [2, '一'],
  ]);
  expect(html).toContain('<h2>第一章<br>出山</h2>');
  expect(html).toContain(`<img src="${images[0]}"`);
  expect(html).toContain('空山新雨后<br>天气晚来秋');
  expect(text).toContain('正文强调');
});

test('a link to a note of a FictionBook leads to the section of the note', async () => {
  const { html } = await convert(
    fictionBook(
      '<body><section><p>词<a l:href="#n1" type="note">[1]</a></p></section></body><body name="notes"><section id="n1"><title><p>1</p></title><p>注释</p></section></body>',
    ),
  );
  expect(html).toMatch(/<a href="#p=2"[^>]*>\[1\]<\/a>/);
});

test('a FictionBook in windows-1251 is decoded by its declaration', async () => {
  const xml = fictionBook('<body><section><p>PLACE</p></section></body>').replace('UTF-8', 'windows-1251');
  const [head = '', tail = ''] = xml.split('PLACE');
  const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0xcc, 0xe8, 0xf0]), Buffer.from(tail)]);
  expect((await convert(bytes)).text).toBe('Мир');
});

test('a malicious FictionBook shows only its text', async () => {
  const { html, images } = await convert(
    fictionBook(
      '<body><section><p>文<script>alert(1)</script></p><p><a l:href="javascript:alert(2)">按</a></p><image l:href="https://example.com/a.png"/><image l:href="file:///etc/passwd"/><p>&lt;script&gt;</p></section></body>',
    ),
  );
  expect(html).not.toMatch(/<script|javascript|example|passwd|<img/);
  expect(images).toEqual([]);
});

test.each([
  ['that ends early', fictionBook('<body><section><p>文</p></section></body>').slice(0, -20), 'incomplete'],
  ['without a body', fictionBook(''), 'damaged'],
  ['without text', fictionBook('<body><section/></body>'), 'empty'],
])('a FictionBook %s is rejected with that reason', async (_, xml, reason) => {
  await expect(convert(xml)).rejects.toMatchObject({ reason });
});

const sample = path.join(projectRoot, '../shared/samples/fb2/test.fb2');
/** Skipped where the folder of samples beside the checkout is missing. */
test.runIf(existsSync(sample))('the FictionBook of the samples is read', async () => {
  const { meta, text, images } = await convert(await readFile(sample));
  expect(meta).toMatchObject({ title: 'Война и мир', author: 'Лев Николаевич Толстой' });
  expect(text).toContain('На самом деле');
  // The images of this file are damaged.
  expect(images).toEqual([]);
});
