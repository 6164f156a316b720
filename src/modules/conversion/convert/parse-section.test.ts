import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { processorMilliseconds } from '#testing/processor-time.ts';
import { corpus, hasCorpus } from '../conversion.fixture.ts';
import { makeEpub } from '../document-files.fixture.ts';
import { convertToFlow } from '../sandboxed/flow/convert-to-flow.ts';
import { withOutputFile } from './output-file.ts';
import { parseSection } from './parse-section.ts';

const root = await mkdtemp(path.join(tmpdir(), 'douku-section-'));
afterAll(() => rm(root, { recursive: true }));

const take = async (made: unknown) => {
  await writeFile(path.join(root, 'made.json'), JSON.stringify(made));
  return withOutputFile(root, 'made.json', parseSection);
};
const htmlOf = async (html: string) => (await take({ html })).html;

/** Makes a book in the usual way and takes each of its sections out. */
async function expectUnchanged(file: string, format: 'epub' | 'txt') {
  const folder = await mkdtemp(path.join(root, 'book-'));
  await convertToFlow({ file, folder, format }, () => {});
  const names = await readdir(path.join(folder, 'f'));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const made = JSON.parse(await readFile(path.join(folder, 'f', name), 'utf8'));
    expect(await withOutputFile(folder, `f/${name}`, parseSection)).toEqual(made);
  }
}

describe('a book keeps every letter', () => {
  test.runIf(hasCorpus).each(['ocf-zip-valid.epub', 'testEPUB.epub'])('%s', (name) =>
    expectUnchanged(path.join(corpus, 'epub', name), 'epub'),
  );

  test('with links, tables, empty attributes and signs that mean something in HTML', async () => {
    await mkdir(path.join(root, 'own'));
    const file = path.join(root, 'own', 'book.epub');
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

  test('as a plain text with indented lines', async () => {
    const file = path.join(root, 'text.txt');
    await writeFile(file, '第一章 开始\n\u3000\u3000\u3000\u3000缩进的一段 <b>&\n\n又一段');
    await expectUnchanged(file, 'txt');
  });
});

describe('a section that was forged', () => {
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
  ])('is shown without %s', async (html) => {
    const clean = (await htmlOf(html)) ?? '';
    // A browser opens a tag wherever a letter follows the sign.
    const opened = [...clean.matchAll(/<[a-z!/][^>]*>?/gi)].map(([tag]) => tag);
    for (const tag of opened) expect(tag).toMatch(/^<(?:\/?(?:p|a|img)|p class="spaced"|img alt="[^"]*")>$/);
    expect(await htmlOf(clean)).toBe(clean);
  });

  test('keeps what is good in it', async () => {
    const picture = `i/${'0a'.repeat(16)}.webp`;
    const good = `<p class="spaced"><img src="${picture}" alt="a<b"><a href="#p=3" data-at="0.250">注</a></p>`;
    expect(await htmlOf(`${good}<script>x</script>`)).toBe(`${good}&lt;script>x&lt;/script>`);
  });

  test('is refused when it is no section, or far too large', async () => {
    await expect(take({ html: { toString: 'x' } })).rejects.toThrow('文档已损坏');
    await expect(take({ rows: [[1]] })).rejects.toThrow('文档已损坏');
    await expect(take({ text: 'x'.repeat(17 * 1024 * 1024) })).rejects.toThrow('文档过大');
  });

  test('holds up nobody, whatever it is made of', async () => {
    for (const part of ['<b>', '<b></i>', '<a href="', '<a b c d', '<p p="<p p="', '<'.repeat(8)]) {
      const startedAt = processorMilliseconds();
      await htmlOf(part.repeat(1_000_000 / part.length));
      expect(processorMilliseconds() - startedAt, part).toBeLessThan(5_000);
    }
  });
});
