import traditional from 'opencc-js/dict/TSCharacters';
import { describe, expect, test } from 'vitest';
import { compareTextSketches } from './compare-sketches.ts';
import { makeText } from './near-copy.fixture.ts';
import { createTextSketch, MIN_TEXT_LENGTH, SKETCH_SIZE } from './text-sketch.ts';

const compare = (a: string, b: string) => compareTextSketches(createTextSketch(a), createTextSketch(b));
const text = makeText(4_000, 1);
const traditionalOf = new Map(traditional.split('|').map((pair) => pair.split(' ').reverse() as [string, string]));

describe('the sketch of a text', () => {
  test('is empty below 400 letters and never compared', () => {
    const short = makeText(MIN_TEXT_LENGTH - 1, 2);
    expect(createTextSketch(short)).toHaveLength(0);
    expect(compare(short, short)).toBeNull();
    expect(compare('', '')).toBeNull();
  });

  test('has a limited number of ascending distinct hashes', () => {
    const sketch = [...createTextSketch(makeText(50_000, 3))];
    expect(sketch).toHaveLength(SKETCH_SIZE);
    expect(sketch).toEqual([...new Set(sketch)].sort((a, b) => a - b));
  });

  test('contains the lowest hashes also of a text with many repetitions', () => {
    expect(createTextSketch('重复的一句话很长。'.repeat(2_000))).toHaveLength(8);
  });
});

describe('two texts are', () => {
  test('nearly equal with other punctuation, spaces and line ends', () => {
    expect(compare(text, text.replace(/(.{7})/gu, '$1，\n'))).toEqual({ kind: 'equal', share: 1 });
  });

  test('nearly equal in simplified and traditional characters', () => {
    const traditionalText = Array.from(text, (character) => traditionalOf.get(character) ?? character).join('');
    expect(traditionalText).not.toBe(text);
    expect(compare(text, traditionalText)?.kind).toBe('equal');
  });

  test('similar when each fiftieth character differs', () => {
    const retypedText = Array.from(text, (character, index) => (index % 50 === 0 ? '错' : character)).join('');
    expect(compare(text, retypedText)?.kind).toBe('similar');
  });

  test('contained in each other when one is a part of the other', () => {
    const part = text.slice(1_000, 2_200);
    expect(compare(part, text)?.kind).toBe('contained');
    expect(compare(text, part)?.kind).toBe('contains');
  });

  test('different when they share less than half of their grams', () => {
    expect(compare(text, text.slice(0, 1_800) + makeText(2_200, 5))).toBeNull();
    expect(compare(text, makeText(4_000, 7))).toBeNull();
  });
});
