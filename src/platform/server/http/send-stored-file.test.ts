import { expect, test } from 'vitest';
import { parseRange } from './send-stored-file.ts';

test.each<[string | undefined, ReturnType<typeof parseRange>]>([
  [undefined, null],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=10-1000', { start: 10, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['lines=0-1', null],
])('parseRange reads the header %s for a file of 100 bytes', (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});
