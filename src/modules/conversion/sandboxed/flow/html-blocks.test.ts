import { expect, test } from 'vitest';
import { htmlBlocks } from './html-blocks.ts';

const blocks = (html: string) => htmlBlocks(html, { link: () => null, picture: () => null });

test('a book that explains markup keeps what it quotes of it', () => {
  const [block] = blocks('<p>写作 <code>&lt;div id="top" class="x"&gt;</code> 即可。</p>');
  expect(block?.text).toBe('写作 <div id="top" class="x"> 即可。');
  expect(block?.html).toContain('&lt;div id="top" class="x"&gt;');
});

test('the names of places are noted, and are not in the text', () => {
  const [block] = blocks('<p id="a">前<span id="b&quot;c">中</span>后</p>');
  expect(block).toEqual({ html: '<p>前<span>中</span>后</p>', text: '前中后', ids: ['a', 'b"c'] });
});

test('words of neighbouring cells, items, terms and lines are separate words of the text', () => {
  const texts = blocks(
    '<table><tr><td>alpha</td><td>beta</td></tr><tr><td>苹果</td></tr></table>' +
      '<ul><li>列一</li><li>列二</li></ul><dl><dt>term</dt><dd>definition</dd></dl><p>段一<br/>换行后</p>',
  ).map(({ text }) => text);
  expect(texts).toEqual(['alpha beta 苹果', '列一 列二', 'term definition', '段一 换行后']);
});
