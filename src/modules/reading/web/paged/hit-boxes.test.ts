import { expect, test } from 'vitest';
import { normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { hitBoxes } from './hit-boxes.ts';

const find = (lines: Parameters<typeof hitBoxes>[0], wd: string) =>
  hitBoxes(lines, normalizeWithOffsets(wd).text).map(({ boxes }) => boxes);

test('hitBoxes returns a box as wide as the hit within a run of Chinese characters', () => {
  expect(find([[['今天天气很好', 1000, 500, 600, 100]]], '天气')).toEqual([
    [{ x: 1200, y: 500, width: 200, height: 100 }],
  ]);
});

test('hitBoxes returns one box for a hit over several words of a line', () => {
  const line: Parameters<typeof hitBoxes>[0] = [
    [
      ['Open ', 0, 0, 400, 100],
      ['Source', 450, 0, 600, 100],
    ],
  ];
  expect(find(line, 'open source')).toEqual([[{ x: 0, y: 0, width: 1050, height: 100 }]]);
});

test('hitBoxes returns a box per line for a hit over a line end', () => {
  const lines: Parameters<typeof hitBoxes>[0] = [[['保护数据', 0, 0, 400, 100]], [['安全为先', 0, 200, 400, 100]]];
  expect(find(lines, '数据安全')).toEqual([
    [
      { x: 200, y: 0, width: 200, height: 100 },
      { x: 0, y: 200, width: 200, height: 100 },
    ],
  ]);
});

test('hitBoxes returns every hit, and none for an empty search text', () => {
  expect(find([[['一一一', 0, 0, 300, 100]]], '一')).toHaveLength(3);
  expect(find([[['一一一', 0, 0, 300, 100]]], '')).toEqual([]);
});
