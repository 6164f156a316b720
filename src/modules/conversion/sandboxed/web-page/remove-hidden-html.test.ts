import { describe, expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { MAX_HIDING_RULES, parseHidingRules } from './hiding-rules.ts';
import { removeHiddenHtml } from './remove-hidden-html.ts';

/** Texts of the elements that remain visible. */
const visibleTexts = (head: string, body: string) =>
  removeHiddenHtml(`<html><head>${head}</head><body>${body}</body></html>`).match(/[^<>]+(?=<)/g) ?? [];

const style = (css: string) => `<style>${css}</style>`;

test.each([
  ['after a declaration', '.card{padding:1px; &:hover .menu{color:red;display:none} }'],
  ['as the first part of a rule', '.card{.menu{color:red;display:none;} padding:1px}'],
  ['in several levels', '.card{@media print{&.menu{color:red;display:none}display:none}}'],
  ['that is not closed', '.card{padding:1px; .menu{color:red;display:none'],
])('a nested CSS rule %s does not hide the elements of the outer rule', (_, css) => {
  expect(visibleTexts(style(css), '<p class="card">card</p>')).toEqual(['card']);
});

test('a declaration after a nested CSS rule hides the elements of the outer rule', () => {
  const css = '.card{&:hover{color:red;display:block} display:none}';
  expect(visibleTexts(style(css), '<p class="card">card</p><p>text</p>')).toEqual(['text']);
});

describe('a CSS rule hides its elements', () => {
  test.each([
    ['after a string with a brace', 'i::before{content:"{"} .concealed{display:none}'],
    ['after a string with an escaped quote', `i::before{content:'\\'{'} .concealed{display:none}`],
    ['after a string with a comment mark', 'i::before{content:"/*"} .concealed{display:none}'],
    ['after an escaped brace', '.a\\{b{color:red} .concealed{display:none}'],
    ['after a URL with a quote', `i{background:url(data:,it's)} .concealed{display:none}`],
    ['after a string that is not closed', 'i{font-family:"x\n} .concealed{display:none}'],
    ['when it is the last one and not closed', 'i{color:red} .concealed{display:none'],
    ['when a string precedes the declaration', '.concealed{font-family:"a;b{c}";display:none}'],
    ['when its property has an escape', '.concealed{d\\69splay:none}'],
  ])('%s', (_, css) => {
    expect(visibleTexts(style(css), '<p class="concealed">hidden</p><p>text</p>')).toEqual(['text']);
  });

  test.each([
    ['a colon', '.a\\:b', 'a:b'],
    ['a comma and brackets', '.w-\\[1fr\\,2fr\\]', 'w-[1fr,2fr]'],
    ['a full stop', '.w-1\\.5', 'w-1.5'],
    ['a digit at the start, in hexadecimal', '.\\32 xl', '2xl'],
    ['a digit in six hexadecimal digits', '.\\000032xl', '2xl'],
    ['a character beyond U+FFFF', '.x\\1f600', 'x😀'],
  ])('whose class name has an escape of %s', (_, selector, name) => {
    const body = `<p class="${name}">hidden</p><p>text</p>`;
    expect(visibleTexts(style(`${selector}{display:none}`), body)).toEqual(['text']);
  });
});

test('a string or comment in a style attribute that reads like a declaration hides nothing', () => {
  const body = `<p style="font-family:'a;display:none;'">one</p><p style="/*;display:none;*/">two</p>`;
  expect(visibleTexts('', body)).toEqual(['one', 'two']);
});

test.each([
  ['a later rule of the same weight', '.a{display:none} .b{display:block}', false],
  ['an earlier rule of a larger weight', 'p.a{display:block} .b{display:none}', false],
  ['an important rule before a later one', '.a{display:none!important} .a{display:block}', true],
  ['a repeated rule after another', '.a{display:none} .b{display:block} .a{display:none}', true],
])('when several CSS rules match an element, %s decides', (_, css, isHidden) => {
  const texts = visibleTexts(style(css), '<p class="a b">text</p><b>rest</b>');
  expect(texts).toEqual(isHidden ? ['rest'] : ['text', 'rest']);
});

const numbers = Array.from({ length: 20_000 }, (_, number) => number);

test('removeHiddenHtml takes less than ten seconds of processor time for 20,000 CSS rules of one selector and 20,000 elements', () => {
  const css = 'div{display:block}'.repeat(20_000);
  const body = numbers.map((number) => `<div id="i${number}">x</div>`).join('');
  const startedAt = processCpuMs();
  expect(visibleTexts(style(css), body)).toHaveLength(20_000);
  expect(processCpuMs() - startedAt).toBeLessThan(10_000);
});

test.each([
  ['have the same selector', () => 'div{display:none}'],
  ['share one of two classes', (number: number) => `.a.b${number}{display:none}`],
  ['share the class of different tags', (number: number) => `t${number}.a{display:none}`],
])('an element is compared with few of 20,000 CSS rules that %s', (_, rule) => {
  const rules = parseHidingRules([numbers.map(rule).join('')], 'flow');
  expect(Math.max(...[...rules.index.values()].map(({ length }) => length))).toBe(1);
});

test('removeHiddenHtml reads a style sheet with megabytes of one string, URL, name or selector', () => {
  const longText = 'x'.repeat(5_000_000);
  const longSelectors = `.${longText} b,.${longText}{display:none} ${'.x'.repeat(2_500_000)}{display:none}`;
  const css = `i{content:"${longText}"} i{background:url(data:${longText})} ${longSelectors} p{display:none}`;
  expect(visibleTexts(style(css), '<p>hidden</p><b>text</b>')).toEqual(['text']);
});

test('removeHiddenHtml rejects a page with more CSS selectors than the limit as too large', () => {
  const css = Array.from({ length: MAX_HIDING_RULES + 1 }, (_, at) => `.a${at}{display:none}`);
  expect(() => visibleTexts(style(css.join('')), '')).toThrow(expect.objectContaining({ reason: 'tooLarge' }));
});
