import { expect, test } from 'vitest';
import { type PathSegment, parsePathData } from './path-data.ts';

const parse = (data: string) => parsePathData(data, 1_000) ?? [];
const last = (segments: PathSegment[]) => {
  const segment = segments.at(-1);
  return segment && 'to' in segment ? segment.to : null;
};

test('parsePathData reads moves, lines, cubic curves and closed figures', () => {
  expect(parse('S 1 2 M 1 2 L 3.5 -4 B 1 1 2 2 3 3 C')).toEqual([
    { type: 'move', to: { x: 1, y: 2 } },
    { type: 'move', to: { x: 1, y: 2 } },
    { type: 'line', to: { x: 3.5, y: -4 } },
    { type: 'curve', first: { x: 1, y: 1 }, second: { x: 2, y: 2 }, to: { x: 3, y: 3 } },
    { type: 'close' },
  ]);
});

test('parsePathData reads numbers without spaces between them, with commas and exponents', () => {
  expect(parse('M0,0L1e1-2L.5 3.')).toEqual([
    { type: 'move', to: { x: 0, y: 0 } },
    { type: 'line', to: { x: 10, y: -2 } },
    { type: 'line', to: { x: 0.5, y: 3 } },
  ]);
});

test('parsePathData turns a quadratic curve into a cubic one', () => {
  expect(parse('M 0 0 Q 3 3 6 0').at(-1)).toEqual({
    type: 'curve',
    first: { x: 2, y: 2 },
    second: { x: 4, y: 2 },
    to: { x: 6, y: 0 },
  });
});

test.each([
  ['a half circle clockwise', 'M 0 0 A 5 5 0 0 1 10 0', 2, { x: 5, y: -5 }],
  ['a half circle counterclockwise', 'M 0 0 A 5 5 0 0 0 10 0', 2, { x: 5, y: 5 }],
  ['the large arc of a circle', 'M 0 0 A 5 5 0 1 1 5 5', 3, { x: 5, y: -5 }],
])('parsePathData draws %s as curves to its end', (_, data, count, middle) => {
  const [, ...curves] = parse(data);
  expect(curves).toHaveLength(count);
  const ends = curves.map((curve) => last([curve]));
  expect(ends.some((end) => end && Math.hypot(end.x - middle.x, end.y - middle.y) < 1e-9)).toBe(true);
  expect(last(curves)).toEqual(count === 3 ? { x: 5, y: 5 } : { x: 10, y: 0 });
});

test('parsePathData enlarges radii that cannot reach the end, and draws a line without radii', () => {
  expect(parse('M 0 0 A 1 1 0 0 1 10 0').map(({ type }) => type)).toEqual(['move', 'curve', 'curve']);
  expect(parse('M 0 0 A 0 5 0 0 1 10 0').map(({ type }) => type)).toEqual(['move', 'line']);
});

test('parsePathData starts the next figure where a closed one began', () => {
  const segments = parse('M 2 2 L 6 2 C Q 4 4 6 6');
  expect(segments.at(-1)).toMatchObject({ first: { x: 2 + 4 / 3, y: 2 + 4 / 3 } });
});

test('parsePathData stops at missing operands and unknown operators', () => {
  expect(parse('M 0 0 L 1 L 2 2')).toHaveLength(1);
  expect(parse('M 0 0 Z 1 1')).toHaveLength(1);
  expect(parse('')).toEqual([]);
});

test('parsePathData keeps huge numbers finite and refuses paths that are too long', () => {
  expect(parse('M 1e400 -1e400')).toEqual([{ type: 'move', to: { x: 1_000_000, y: -1_000_000 } }]);
  expect(parsePathData('M 0 0 '.repeat(2_000), 1_000)).toBeNull();
});
