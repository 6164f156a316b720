import { expect, test } from 'vitest';
import { normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { hitBoxes } from './hit-boxes.ts';

const find = (lines: Parameters<typeof hitBoxes>[0], wd: string) =>
  hitBoxes(lines, normalizeWithOffsets(wd).text).map(({ boxes }) => boxes);

test('a hit within a run of Chinese characters is as wide as its part', () => {
  expect(find([[['今天天气很好', 1000, 500, 600, 100]]], '天气')).toEqual([
    [{ x: 1200, y: 500, width: 200, height: 100 }],
  ]);
});

test('a hit over several words of a line is one box', () => {
  const line: Parameters<typeof hitBoxes>[0] = [
    [
      ['Open ', 0, 0, 400, 100],
      ['Source', 450, 0, 600, 100],
    ],
  ];
  expect(find(line, 'open source')).toEqual([[{ x: 0, y: 0, width: 1050, height: 100 }]]);
});

test('a hit that runs over the end of a line has a box on each', () => {
  const lines: Parameters<typeof hitBoxes>[0] = [[['保护数据', 0, 0, 400, 100]], [['安全为先', 0, 200, 400, 100]]];
  expect(find(lines, '数据安全')).toEqual([
    [
      { x: 200, y: 0, width: 200, height: 100 },
      { x: 0, y: 200, width: 200, height: 100 },
    ],
  ]);
});

test('every hit is there, and none for nothing', () => {
  expect(find([[['一一一', 0, 0, 300, 100]]], '一')).toHaveLength(3);
  expect(find([[['一一一', 0, 0, 300, 100]]], '')).toEqual([]);
});
