import { describe, expect, it } from 'vitest';
import { formatSize } from './file-size.ts';

describe('formatSize', () => {
  it.each([
    [0, '0.00 B'],
    [-1, '0.00 B'],
    [1023, '1023.00 B'],
    [1024, '1.00 KB'],
    [1536, '1.50 KB'],
    [1024 ** 2 - 1, '1.00 MB'],
    [1024 ** 3 * 2.345, '2.35 GB'],
    [1024 ** 4, '1.00 TB'],
    [1024 ** 5, '1.00 PB'],
    [1024 ** 6, '1.00 EB'],
    [1024 ** 7, '1.00 ZB'],
    [1024 ** 8, '1.00 YB'],
    [1024 ** 9, '1024.00 YB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});
