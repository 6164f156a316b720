import { expect, test } from 'vitest';
import { parseDjvuExpressions } from './djvu-expressions.ts';
import { readDjvuOutline } from './djvu-outline.ts';
import { readDjvuWords } from './djvu-words.ts';

const read = (source: string) => readDjvuWords(parseDjvuExpressions(source)[0], { width: 100, height: 200 });

test('words of a line have their boxes in points from the top, spaces between Latin words and none between Chinese', () => {
  const words = read(
    '(page 0 0 1000 2000 (column 0 0 9 9 (line 100 1800 900 1900 (word 100 1800 300 1900 "石渠") (word 300 1800 500 1900 "藏书") (word 520 1800 700 1900 "annual") (word 720 1800 900 1900 "report"))))',
  );
  expect(words.map(({ text }) => text)).toEqual(['石渠', '藏书 ', 'annual ', 'report\n']);
  expect(words[0]).toMatchObject({ x: 10, y: 10, width: 20, height: 10 });
});

test('a paragraph without words is divided into its rows', () => {
  const words = read('(page 0 0 1000 2000 (para 100 1600 900 1800 "first row\\nsecond \\"row\\""))');
  expect(words).toEqual([
    { text: 'first row\n', x: 10, y: 20, width: 80, height: 10 },
    { text: 'second "row"\n', x: 10, y: 30, width: 80, height: 10 },
  ]);
});

test('the characters of a word are joined', () => {
  const words = read('(page 0 0 10 20 (line 0 0 9 9 (word 0 0 4 4 (char 0 0 2 4 "\\345") (char 2 0 4 4 "b"))))');
  expect(words.map(({ text }) => text)).toEqual(['åb\n']);
});

test.each(['', '()', '(page)', '(page 0 0 0 0 "text")', '(page a b c d "text")', '(page 0 0 9 9 (line 1))', ')))"'])(
  'the malformed text %s has no words',
  (source) => {
    expect(read(source).filter(({ width }) => width > 0)).toEqual([]);
  },
);

test('text that is nested too deeply is rejected', () => {
  expect(() => read('(page 0 0 9 9 '.repeat(5_000))).toThrow('nested');
});

test('the contents refer to pages by number or by id', () => {
  const [expression] = [
    parseDjvuExpressions('(bookmarks ("封面" "#1" ("章" "#p2.djvu")) ("外部" "http://a.example"))'),
  ];
  expect(readDjvuOutline(expression, new Map([['p2.djvu', 2]]))).toEqual([
    { title: '封面', page: 1, children: [{ title: '章', page: 2, children: [] }] },
    { title: '外部', page: 0, children: [] },
  ]);
});
