import { expect, test } from 'vitest';
import { addToHash, EMPTY_HASH, finalizeHash, hashKeyword, hashWord } from './word-hash.ts';

test('hashWord returns the values that search indexes store', () => {
  expect(['', 'bridge', '长江'].map(hashWord)).toEqual([2872998923, 1607727832, 3151305613]);
});

test('hashWord equals the hash that is computed step by step', () => {
  const hash = [...'长江'].reduce((value, letter) => addToHash(value, letter.charCodeAt(0)), EMPTY_HASH);
  expect(finalizeHash(hash)).toBe(hashWord('长江'));
});

test('hashKeyword returns the values that related documents store, for any case and width', () => {
  expect(['Bridge', 'ｂｒｉｄｇｅ', '长江'].map(hashKeyword)).toEqual([799119387, 799119387, -2063308986]);
});
