import { describe, expect, it } from 'vitest';
import { isRefusal, isToSend, merged, newItem, rowProblem, totalPercent, type UploadItem } from './upload-list.ts';

const row = (bytes: number, values: Partial<UploadItem> = {}): UploadItem => ({
  ...newItem(new File(['x'.repeat(bytes)], 'a.txt'), '0'),
  ...values,
});

describe('how far all uploads are', () => {
  it('does not count a failed file as sent', () => {
    const failed = row(50, { state: 'failed', progress: 1 });
    expect(totalPercent([row(50, { state: 'done' }), failed])).toBe(50);
    expect(totalPercent([failed])).toBe(0);
  });

  it('says 100% only when nothing is missing', () => {
    const done = row(9_999, { state: 'done' });
    expect(totalPercent([done, row(1, { state: 'failed' })])).toBe(99);
    expect(totalPercent([done])).toBe(100);
  });
});

describe('a refused file', () => {
  it.each([
    [422, true],
    [415, true],
    [413, true],
    [401, false],
    [404, false],
    [429, false],
    [0, false],
    [500, false],
  ])('with status %i is refused for good: %s', (status, isFinal) => {
    expect(isRefusal(status)).toBe(isFinal);
  });

  it('is not sent again with the others, unless only its words were refused', () => {
    const refused = row(1, { state: 'failed', isRefused: true });
    expect(isToSend(refused)).toBe(false);
    expect(isToSend({ ...refused, attachmentId: 7 })).toBe(true);
    expect(isToSend(row(1, { state: 'failed' }))).toBe(true);
    expect(isToSend(row(1, { state: 'done' }))).toBe(false);
  });
});

it('rows keep the order in which their files were added', () => {
  const [first, second, third] = [0, 1, 2].map((at) => newItem(new File(['x'], 'a'), '0', at));
  if (!first || !second || !third) throw new Error('three were made');
  expect(merged([second], [third, first, second])).toEqual([first, second, third]);
});

it.each(['-5', 'abc', '1.5', '', '1000001'])('the price %j is named as wrong', (price) => {
  expect(rowProblem({ title: '游记', price })).toBe('售价不正确，请输入 0 到 1000000 之间的整数');
});

it('a price within the limits and a title are nothing wrong', () => {
  expect(rowProblem({ title: '游记', price: '1000000' })).toBe('');
  expect(rowProblem({ title: ' ', price: '0' })).toBe('请输入标题');
});
