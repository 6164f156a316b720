import { describe, expect, it } from 'vitest';
import {
  findRowProblem,
  isPermanentRejection,
  isSubmittable,
  mergeItems,
  newUploadItem,
  partitionFiles,
  totalPercent,
  type UploadItem,
} from './upload-item.ts';

const row = (bytes: number, values: Partial<UploadItem> = {}): UploadItem => ({
  ...newUploadItem(new File(['x'.repeat(bytes)], 'a.txt'), '0'),
  ...values,
});

describe('totalPercent', () => {
  it('does not count a failed file as sent', () => {
    const failedRow = row(50, { state: 'failed', progress: 1 });
    expect(totalPercent([row(50, { state: 'done' }), failedRow])).toBe(50);
    expect(totalPercent([failedRow])).toBe(0);
  });

  it('counts a sent file, but stays below 100 before its publication', () => {
    expect(totalPercent([row(50, { state: 'sent' }), row(50)])).toBe(50);
    expect(totalPercent([row(50, { state: 'sent' })])).toBe(99);
    expect(totalPercent([row(50, { state: 'done' }), row(50, { state: 'saving' })])).toBe(99);
  });

  it('returns 100 only when all files are done', () => {
    const doneItem = row(9_999, { state: 'done' });
    expect(totalPercent([doneItem, row(1, { state: 'failed' })])).toBe(99);
    expect(totalPercent([doneItem])).toBe(100);
  });
});

describe('a rejected upload', () => {
  it.each([
    [422, true],
    [415, true],
    [413, true],
    [401, false],
    [404, false],
    [429, false],
    [0, false],
    [500, false],
  ])('with status %i is a permanent rejection: %s', (status, isFinal) => {
    expect(isPermanentRejection(status)).toBe(isFinal);
  });

  it('is not sent again with the others, unless only its title or price was rejected', () => {
    const rejectedItem = row(1, { state: 'failed', isRefused: true });
    expect(isSubmittable(rejectedItem)).toBe(false);
    expect(isSubmittable({ ...rejectedItem, attachmentId: 7 })).toBe(true);
    expect(isSubmittable(row(1, { state: 'failed' }))).toBe(true);
    expect(isSubmittable(row(1, { state: 'done' }))).toBe(false);
  });
});

it.each(['hashing', 'sending', 'sent'] as const)('a file that is %s can be submitted once', (state) => {
  expect(isSubmittable(row(1, { state }))).toBe(true);
  expect(isSubmittable(row(1, { state, isSubmitted: true }))).toBe(false);
});

it('partitionFiles accepts an XML document where .doc or .xls is allowed', () => {
  const file = new File(['x'], '公文.XML');
  const accepts = (allowedExtensions: string[]) =>
    partitionFiles([file], [], { maxMegabytes: 1, allowedExtensions }).accepted.length === 1;
  expect([[], ['.doc'], ['.xls'], ['.pdf']].map(accepts)).toEqual([true, true, true, false]);
});

it('mergeItems keeps the order in which the files were added', () => {
  const [first, second, third] = [0, 1, 2].map((at) => newUploadItem(new File(['x'], 'a'), '0', at));
  if (!first || !second || !third) throw new Error('expected three items');
  expect(mergeItems([second], [third, first, second])).toEqual([first, second, third]);
});

it.each(['-5', 'abc', '1.5', '', '1000001'])('findRowProblem rejects the price %j', (price) => {
  expect(findRowProblem({ title: '游记', price })).toBe('售价不正确，请输入 0 到 1000000 之间的整数');
});

it('findRowProblem accepts a title and a price within the limits', () => {
  expect(findRowProblem({ title: '游记', price: '1000000' })).toBe('');
  expect(findRowProblem({ title: ' ', price: '0' })).toBe('请输入标题');
});
