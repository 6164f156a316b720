import { expect, it } from 'vitest';
import { settingHint, validateNumber } from './number-setting-limits.ts';

const size = { placeholder: '单位 MB', min: 1, max: 10_240 };
const words = { placeholder: '每行一个', min: null, max: null };

it('settingHint adds the range of a number to the hint of the setting', () => {
  expect(settingHint(size)).toBe('单位 MB，可填 1 到 10240');
  expect(settingHint({ ...size, placeholder: '' })).toBe('可填 1 到 10240');
  expect(settingHint(words)).toBe('每行一个');
});

it.each(['-5', 'abc', '0', '10241', '', '1.5'])('validateNumber returns a message for %j', (typedText) => {
  expect(validateNumber(size, typedText)).toBe('请输入 1 到 10240 之间的整数');
});

it('validateNumber returns no message for a number within its range and for text settings', () => {
  expect(validateNumber(size, ' 100 ')).toBe('');
  expect(validateNumber(words, 'abc')).toBe('');
});
