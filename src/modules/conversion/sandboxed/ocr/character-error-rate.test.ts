import { expect, test } from 'vitest';
import { characterErrorRate } from '../../character-error-rate.fixture.ts';

test('the character error rate ignores spaces and the width of characters', () => {
  expect(characterErrorRate('单价（元）：68', '单价 (元) : 68')).toBe(0);
});

test('the character error rate counts wrong, missing and additional characters', () => {
  expect(characterErrorRate('一二三四五六七八九十', '一 二叁四五七八九十!')).toBeCloseTo(0.3);
});
