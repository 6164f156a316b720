import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { corpusFolder, hasCorpus } from '../conversion.fixture.ts';
import { makeEpub } from '../document-files.fixture.ts';
import { convertToFlow } from '../sandboxed/flow/convert-to-flow.ts';
import { parseSection } from './parse-section.ts';
import { withOutputFile } from './sandbox-output-file.ts';

const root = await mkdtemp(path.join(tmpdir(), 'douku-section-'));
afterAll(() => rm(root, { recursive: true }));

const writeAndParse = async (output: unknown) => {
  await writeFile(path.join(root, 'section.json'), JSON.stringify(output));
  return withOutputFile(root, 'section.json', parseSection);
};
const parseHtml = async (html: string) => (await writeAndParse({ html })).html;

/** Converts a book and expects parseSection to return each section unchanged. */
async function expectUnchanged(file: string, format: 'epub' | 'txt') {
  const folder = await mkdtemp(path.join(root, 'book-'));
  await convertToFlow({ file, folder, format }, () => {});
  const names = await readdir(path.join(folder, 'f'));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const output = JSON.parse(await readFile(path.join(folder, 'f', name), 'utf8'));
    expect(await withOutputFile(folder, `f/${name}`, parseSection)).toEqual(output);
  }
}

describe('parseSection returns every section of a converted book unchanged', () => {
  test.runIf(hasCorpus).each(['ocf-zip-valid.epub', 'testEPUB.epub'])('%s', (name) =>
    expectUnchanged(path.join(corpusFolder, 'epub', name), 'epub'),
  );

  test('a book with links, tables, empty attributes and characters that are special in HTML', async () => {
    await mkdir(path.join(root, 'epub'));
    const file = path.join(root, 'epub', 'book.epub');
    const html = `<p id="top" class="x">1 &lt; 2 &amp; <b>3</b>&nbsp;<br/>“引号” "直" '单'</p>
      <p><a href="#top">内</a> <a href="https://example.com/?a=1&amp;b=&quot;2&quot;">外</a> <a>空</a> <a href="nowhere.xhtml">无</a></p>
      <table><tr><td colspan="2" style="x">格</td></tr></table><hr/><p id="">末 a&gt;b</p><p>注</p>`;
    await writeFile(
      file,
      makeEpub([
        { title: '一', html },
        { title: '二', html: '<p><a href="c0.xhtml#top">回</a></p>' },
      ]),
    );
    await expectUnchanged(file, 'epub');
  });

  test('a plain text with indented lines', async () => {
    const file = path.join(root, 'text.txt');
    await writeFile(file, '第一章 开始\n\u3000\u3000\u3000\u3000缩进的一段 <b>&\n\n又一段');
    await expectUnchanged(file, 'txt');
  });
});

describe('parseSection of a forged section', () => {
  test.each([
    '<script>alert(1)</script>',
    '<p>好</p><SCRIPT src="//evil.example/x.js"></SCRIPT>',
    '<style>*{display:none}</style>',
    '<form action="/api"><input name="password"></form>',
    '<p onclick="x()" style="position:fixed" id="root">字</p>',
    '<a href="javascript:alert(1)">字</a><a href=" javascript:alert(1)">字</a>',
    '<a href="jav&#97;script:alert(1)">字</a><a href="/logout">字</a>',
    '<img src="x" onerror="alert(1)"><img src="https://evil.example/pixel.gif">',
    '<p title="<script>alert(1)</script>">字</p>',
    '<p class="card" data-at="1">字</p>',
    '<img/src="x"/onerror=alert(1)>',
    '<p\nonclick="x()">字</p><!-- --><svg onload="x()"></svg><iframe srcdoc="x"></iframe>',
    '<x y="<script>alert(1)</script>"><x y="<p onclick=x()>">',
    '<<script>script>alert(1)<</script>/script>',
  ])('removes or escapes forbidden markup: %s', async (html) => {
    const clean = (await parseHtml(html)) ?? '';
    // A browser opens a tag wherever a letter follows "<".
    const openedTags = [...clean.matchAll(/<[a-z!/][^>]*>?/gi)].map(([tag]) => tag);
    for (const tag of openedTags) expect(tag).toMatch(/^<(?:\/?(?:p|a|img)|p class="spaced"|img alt="[^"]*")>$/);
    expect(await parseHtml(clean)).toBe(clean);
  });

  test('keeps allowed markup beside a forbidden tag', async () => {
    const picture = `i/${'0a'.repeat(16)}.webp`;
    const good = `<p class="spaced"><img src="${picture}" alt="a<b"><a href="#p=3" data-at="0.250">注</a></p>`;
    expect(await parseHtml(`${good}<script>x</script>`)).toBe(`${good}&lt;script>x&lt;/script>`);
  });

  test('rejects a file that is no section or exceeds 16 MB', async () => {
    await expect(writeAndParse({ html: { toString: 'x' } })).rejects.toThrow('文档已损坏');
    await expect(writeAndParse({ rows: [[1]] })).rejects.toThrow('文档已损坏');
    await expect(writeAndParse({ text: 'x'.repeat(17 * 1024 * 1024) })).rejects.toThrow('文档过大');
  });

  test('takes less than five seconds of processor time for a megabyte of malicious markup', async () => {
    for (const part of ['<b>', '<b></i>', '<a href="', '<a b c d', '<p p="<p p="', '<'.repeat(8)]) {
      const startedAt = processCpuMs();
      await parseHtml(part.repeat(1_000_000 / part.length));
      expect(processCpuMs() - startedAt, part).toBeLessThan(5_000);
    }
  });
});
