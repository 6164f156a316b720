import { expect, test } from 'vitest';
import { latinTextClass } from './latin-text-class.ts';

test('latinTextClass selects the Latin font for Latin text, not for Chinese or mixed text', () => {
  expect(latinTextClass('He said “don’t — wait…” and left.')).toBe('latin-text');
  expect(latinTextClass('他说：“等一等……”')).toBe('');
  expect(latinTextClass('请使用“Save as”命令保存')).toBe('');
  expect(latinTextClass('1、2……')).toBe('');
});
