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
