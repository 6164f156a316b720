import { expect, test } from 'vitest';
import { markLatinBlocks } from './mark-latin-blocks.ts';

test('paragraphs in Latin letters of a mixed text get the class for a Latin font, Chinese ones do not', () => {
  const chinese = '<p>他说：“等一等……”</p>';
  expect(markLatinBlocks(`${chinese}<p>“Wait”</p><p class="spaced">  “Go”</p>`)).toBe(
    `${chinese}<p class="latin-text">“Wait”</p><p class="spaced latin-text">  “Go”</p>`,
  );
});

test('headings and items in Latin letters get the class for a Latin font, with attributes and inline tags', () => {
  const chinese = '<h2>“引言”</h2>';
  expect(markLatinBlocks(`<h1 id="s1">The “<em>Big</em>” Book</h1>${chinese}<ul><li>“One”</li></ul>`)).toBe(
    `<h1 id="s1" class="latin-text">The “<em>Big</em>” Book</h1>${chinese}<ul><li class="latin-text">“One”</li></ul>`,
  );
});

test('a block with other blocks inside gets no class itself', () => {
  expect(markLatinBlocks('<blockquote><p>“Wait”</p><p>等一等</p></blockquote>')).toBe(
    '<blockquote><p class="latin-text">“Wait”</p><p>等一等</p></blockquote>',
  );
});

test('quotes of Latin words in a Chinese paragraph get the class for a Latin font, attributes stay', () => {
  expect(markLatinBlocks('<p>在 <a title="it’s">office’s</a> “new” 计划里，他说：“好。”</p>')).toBe(
    '<p>在 <a title="it’s">office<span class="latin-text">’</span>s</a> <span class="latin-text">“</span>new<span class="latin-text">”</span> 计划里，他说：“好。”</p>',
  );
});

test('quotes of Latin words get the class for a Latin font when inline tags separate them from the words, those of a Chinese sentence do not', () => {
  const chinese = '<p>请使用<b>“Save as”</b>命令保存</p>';
  expect(markLatinBlocks(chinese)).toBe(chinese);
  expect(markLatinBlocks('<p>在 “<b>new</b>” 计划里</p>')).toBe(
    '<p>在 <span class="latin-text">“</span><b>new</b><span class="latin-text">”</span> 计划里</p>',
  );
});
