import { expect, test } from 'vitest';
import { latinTextClass } from './latin-text.ts';

test('a text in Latin letters is set in a Latin font, a Chinese or mixed one is not', () => {
  expect(latinTextClass('He said “don’t — wait…” and left.')).toBe('latin-text');
  expect(latinTextClass('他说：“等一等……”')).toBe('');
  expect(latinTextClass('请使用“Save as”命令保存')).toBe('');
  expect(latinTextClass('1、2……')).toBe('');
});
