import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { renderHiResPages } from './convert/render-hi-res-pages.ts';
import { makeEpub } from './document-files.fixture.ts';
import { makeOfd, ofdFonts, ofdRectangle, ofdText } from './ofd.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
/** Real files beside the checkout; they may be missing. */
const sampleFolder = path.join(projectRoot, '../shared/samples/ofd');

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  if (rendition.state !== 'ready') return { rendition, plainText: '' };
  const keys = renditionStorageKeys(rendition);
  const plainText = await text((await ctx.storage.get(keys.text)).stream);
  return { rendition, plainText: plainText.replace(/[ \n]+/g, ' ') };
}

const textLine = (line: string) => ofdText(line, { x: 10, y: 10, size: 5 });

test('an OFD document becomes pages with text, a list of replaced fonts and high-resolution images', async () => {
  const pages = [textLine('第一页的文字'), textLine('第二页的文字')];
  const file = makeOfd({ pages, size: [210, 297], resources: ofdFonts('方正仿宋_GBK'), title: '通知' });
  const { rendition, plainText } = await convert('通知.ofd', file);
  expect(rendition).toMatchObject({ format: 'ofd', state: 'ready', view: 'pages', pages: 2, has_pdf: true });
  expect(rendition.scanned_pages).toBe(0);
  expect([rendition.width, Math.round((rendition.height / rendition.width) * 1_000)]).toEqual([1_240, 1_415]);
  expect(plainText).toBe('第一页的文字\f第二页的文字');
  expect(rendition.replaced_fonts).toEqual([{ name: '方正仿宋_GBK', substitute: 'Noto Serif CJK SC' }]);
  await renderHiResPages.run(ctx, { id: rendition.id, page: 1 }, { signal: new AbortController().signal, attempt: 1 });
  expect(await ctx.storage.stat(renditionStorageKeys(rendition).hiResPage(1))).not.toBeNull();
});

test.each([
  ['without OFD.xml as a document', '说明.ofd', writeZip([{ name: 'Doc_0/a.xml', body: '' }]), '内容却是 ZIP 压缩包'],
  ['that is an electronic book', '书.ofd', makeEpub([{ title: '山居', html: '<p>空山</p>' }]), '内容却是 EPUB'],
])('a file %s is refused', async (_, name, bytes, message) => {
  await expect(addRendition(ctx, name, bytes)).rejects.toThrow(message);
});

const MB = 1024 * 1024;
const encryptedFile = () => {
  const file = Buffer.from(makeOfd());
  // The flag of encryption in every entry of the directory.
  for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 4))
    file.writeUInt16LE(1, at + 8);
  return file;
};

test.each([
  ['truncated', () => makeOfd().subarray(0, 900), '文档已损坏，无法打开'],
  ['empty', () => makeOfd({ pages: [] }), '文档没有内容'],
  ['encrypted', encryptedFile, '文档已加密'],
  ['a ZIP bomb', () => makeOfd({ members: { 'Doc_0/a.bin': Buffer.alloc(60 * MB) } }), '压缩包展开后过大，无法处理'],
  ['nested too deeply', () => makeOfd({ pages: ['<a>'.repeat(100_000)] }), '文档的结构嵌套过深，无法处理'],
])('an OFD document that is %s fails with its reason', async (name, build, reason) => {
  const file = build();
  // A truncated file is still recognized by its extension when its directory is missing.
  const bytes = name === 'truncated' ? Buffer.concat([file, makeOfd().subarray(-400)]) : file;
  expect((await convert(`${name}.ofd`, bytes)).rendition).toMatchObject({ format: 'ofd', state: 'failed', reason });
});

test('a page with tens of thousands of objects is drawn within the limits of the sandbox', async () => {
  const objects = ofdRectangle(0, 0, 1, 1, '255 0 0').repeat(40_000);
  const { rendition, plainText } = await convert('图.ofd', makeOfd({ pages: [objects, textLine('完')] }));
  expect(rendition).toMatchObject({ state: 'ready', pages: 2 });
  expect(plainText).toBe('\f完');
});

describe.runIf(existsSync(sampleFolder))('real OFD documents', () => {
  const a4 = 1_754;
  test.each([
    ['1', 1, 827, ['浙江增值税电子普通发票', '91320115MA202UKD7X', '伍佰贰拾陆圆整', '510.679612']],
    ['999', 5, 827, ['重庆增值税电子普通发票', '财天下科技有限公司', '销售货物或者提供应税劳务']],
    ['draw_param_ref', 5, 827, ['北京增值税电子普通发票', '011002680026']],
    ['fptpl', 1, 827, ['增值税电子普通发票']],
    ['testPathFillOpacity', 1, a4, ['关于加快南货场铁路涵洞下穿建设的函', '2023', '年', '此函。']],
    ['path_unstd', 2, a4, ['立案决定书', '根据《中华人民共和国刑事诉讼法》第', '图片（文件中缺少）']],
    ['hello', 2, a4, ['拿来主义', '中国一向是所谓“闭关主义”，自己不去，别人也不许来。']],
    ['AddWatermarkAnnot', 6, a4, ['中华民国十五年三月二十五日']],
    ['keyword2', 2, a4, ['重庆市马上融资担保有限公司', 'Reader&Writer']],
    ['chineseDir', 1, a4, ['你好呀，OFD Reader&Writer！']],
    ['helloworld', 1, a4, ['你好呀，OFD Reader&Writer！']],
    ['V4RideRight', 5, a4, []],
  ])('%s.ofd has its pages, their size and their text', async (name, pages, height, phrases) => {
    const { rendition, plainText } = await convert(
      `${name}.ofd`,
      await readFile(path.join(sampleFolder, `${name}.ofd`)),
    );
    expect(rendition).toMatchObject({ format: 'ofd', state: 'ready', pages, width: 1_240 });
    expect(Math.abs(rendition.height - height)).toBeLessThan(4);
    for (const phrase of phrases) expect(plainText).toContain(phrase);
    expect(plainText.includes('本页有内容无法显示')).toBe(name === 'path_unstd');
  });
});
