import { expect, test } from 'vitest';
import { splitHtmlIntoBlocks } from './html-blocks.ts';

const blocks = (html: string) => splitHtmlIntoBlocks(html, { link: () => null, picture: () => null });

test('splitHtmlIntoBlocks keeps quoted markup of a book as text', () => {
  const [block] = blocks('<p>写作 <code>&lt;div id="top" class="x"&gt;</code> 即可。</p>');
  expect(block?.text).toBe('写作 <div id="top" class="x"> 即可。');
  expect(block?.html).toContain('&lt;div id="top" class="x"&gt;');
});

test('splitHtmlIntoBlocks collects element ids and removes them from the HTML', () => {
  const [block] = blocks('<p id="a">前<span id="b&quot;c">中</span>后</p>');
  expect(block).toEqual({ html: '<p>前<span>中</span>后</p>', text: '前中后', ids: ['a', 'b"c'] });
});

test('splitHtmlIntoBlocks separates words of neighbouring cells, items, terms and lines in the text', () => {
  const texts = blocks(
    '<table><tr><td>alpha</td><td>beta</td></tr><tr><td>苹果</td></tr></table>' +
      '<ul><li>列一</li><li>列二</li></ul><dl><dt>term</dt><dd>definition</dd></dl><p>段一<br/>换行后</p>',
  ).map(({ text }) => text);
  expect(texts).toEqual(['alpha beta 苹果', '列一 列二', 'term definition', '段一 换行后']);
});
