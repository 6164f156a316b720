import { afterEach, expect, test } from 'vitest';
import { calibrateSlices, sliceSeconds } from './time-slice.ts';

const DEFAULT_EMPTY_DOCUMENT_SECONDS = 2.5;
const firstSlice = (format: 'docx' | 'pdf') => sliceSeconds({ level: 0, format, isReadable: false });

afterEach(() => calibrateSlices(DEFAULT_EMPTY_DOCUMENT_SECONDS));

test('the first slice is longer on a slow machine and never shorter than its minimum', () => {
  calibrateSlices(0.1);
  expect([firstSlice('docx'), firstSlice('pdf')]).toEqual([4, 2]);
  calibrateSlices(6);
  expect([firstSlice('docx'), firstSlice('pdf')]).toEqual([18, 9]);
});

test('a readable document gets the same slices on every machine', () => {
  const readableSlice = () => sliceSeconds({ level: 0, format: 'docx', isReadable: true });
  const before = readableSlice();
  calibrateSlices(6);
  expect(readableSlice()).toBe(before);
});

test('a document of level 2 that shows nothing yet runs to its end', () => {
  expect(sliceSeconds({ level: 2, format: 'docx', isReadable: false })).toBe(Number.POSITIVE_INFINITY);
});
