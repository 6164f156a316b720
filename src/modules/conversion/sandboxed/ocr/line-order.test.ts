import { expect, test } from 'vitest';
import { orderLines } from './line-order.ts';

type TestLine = { left: number; top: number; right: number; bottom: number; text: string };
const line = (text: string, left: number, top: number, width: number): TestLine => ({
  text,
  left,
  right: left + width,
  top,
  bottom: top + 20,
});
const textsOf = (lines: TestLine[]) => orderLines(lines).map((row) => row.map(({ text }) => text).join(' '));

/** The order of the input must not matter. */
const shuffle = <T>(items: T[]): T[] =>
  items.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length).toReversed();

test('two columns of text are read one after the other, below the title that spans them', () => {
  const rows = [0, 1, 2, 3];
  const lines = [
    line('title', 100, 0, 500),
    ...rows.map((row) => line(`left ${row}`, 0, 50 + row * 30, 300)),
    ...rows.map((row) => line(`right ${row}`, 350, 50 + row * 30, row === 3 ? 100 : 300)),
    line('footer', 0, 400, 650),
  ];
  expect(textsOf(shuffle(lines))).toEqual([
    'title',
    ...rows.map((row) => `left ${row}`),
    ...rows.map((row) => `right ${row}`),
    'footer',
  ]);
});

test('a table is read row by row', () => {
  const cells = [0, 1, 2, 3, 4].flatMap((row) => [
    line(`${row}a`, 0, row * 40, 30 + row * 25),
    line(`${row}b`, 200, row * 40 + 3, 130 - row * 20),
    line(`${row}c`, 400, row * 40 - 2, 60),
  ]);
  expect(textsOf(shuffle(cells))).toEqual([0, 1, 2, 3, 4].map((row) => `${row}a ${row}b ${row}c`));
});

test('three columns of text are read one after the other', () => {
  const rows = [0, 1, 2, 3];
  const lines = rows.flatMap((row) => [0, 1, 2].map((column) => line(`${column}${row}`, column * 250, row * 30, 220)));
  expect(textsOf(lines)).toEqual([0, 1, 2].flatMap((column) => rows.map((row) => `${column}${row}`)));
});

test('lines one below the other that overlap slightly stay separate', () => {
  expect(textsOf([line('b', 0, 17, 300), line('a', 0, 0, 300)])).toEqual(['a', 'b']);
});

test('no lines yield no rows', () => {
  expect(orderLines([])).toEqual([]);
});
