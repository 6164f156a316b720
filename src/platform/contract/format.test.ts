import { describe, expect, it } from 'vitest';
import {
  extensionAliasesOf,
  fileTypeOfExtension,
  formatDate,
  formatDateTime,
  formatSize,
  relativeTime,
  storedExtensionCandidates,
} from './format.ts';

const now = Date.parse('2026-11-15T00:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const DAY = 86_400;

describe('relativeTime', () => {
  it.each([
    [0, '刚刚'],
    [59, '刚刚'],
    [60, '1 分钟前'],
    [3599, '59 分钟前'],
    [3600, '1 小时前'],
    [DAY - 1, '23 小时前'],
    [DAY, '1 天前'],
    [30 * DAY - 1, '29 天前'],
    [30 * DAY, '1 个月前'],
    [359 * DAY, '11 个月前'],
    [360 * DAY, '1 年前'],
    [800 * DAY, '2 年前'],
  ])('formats a time %i seconds ago as %s', (seconds, text) => {
    expect(relativeTime(ago(seconds), now)).toBe(text);
  });
  it('formats a future time as 刚刚 and a missing or invalid time as a dash', () => {
    expect(relativeTime(ago(-120), now)).toBe('刚刚');
    expect(relativeTime(null, now)).toBe('-');
    expect(relativeTime('', now)).toBe('-');
    expect(relativeTime('nonsense', now)).toBe('-');
  });
});

describe('formatDate and formatDateTime', () => {
  it('use the given time zone, by default Asia/Shanghai', () => {
    expect(formatDateTime('2026-01-02T19:04:05Z')).toBe('2026-01-03 03:04:05');
    expect(formatDateTime('2026-01-02T19:04:05Z', 'UTC')).toBe('2026-01-02 19:04:05');
    expect(formatDate('2026-01-02T19:04:05Z')).toBe('2026-01-03');
    expect(formatDateTime('2026-01-02T16:00:00Z')).toBe('2026-01-03 00:00:00');
  });
  it('return a dash for a missing or invalid time', () => {
    for (const invalidTime of [null, undefined, '', 'nonsense']) {
      expect(formatDateTime(invalidTime)).toBe('-');
      expect(formatDate(invalidTime)).toBe('-');
    }
  });
});

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

describe('fileType', () => {
  it.each([
    ['pdf', 'pdf'],
    ...['doc', 'docx', 'rtf', 'wps', 'odt', 'dot', '.DOCX', '报告.wps'].map((name) => [name, 'word']),
    ...['ppt', 'pptx', 'pps', 'ppsx', 'dps', 'odp', 'pot', 'a.ppsx'].map((name) => [name, 'ppt']),
    ...['xls', 'xlsx', 'et', 'ods', 'csv', 'tsv', 'table.et'].map((name) => [name, 'excel']),
    ['txt', 'text'],
    ['readme.txt', 'text'],
    ['epub', 'epub'],
    ['mobi', 'mobi'],
    ['chm', 'chm'],
    ['umd', 'umd'],
    ['exe', 'other'],
    ['', 'other'],
    ['constructor', 'other'],
  ])('of %s is %s', (name, type) => {
    expect(fileTypeOfExtension(name)).toBe(type);
  });
});

describe('extension aliases', () => {
  it('map to the extensions under which the file may be stored', () => {
    expect(['xml', 'dotx', 'potx', 'pdf', 'constructor'].map(storedExtensionCandidates)).toEqual([
      ['doc', 'xls'],
      ['docx'],
      ['pptx'],
      ['pdf'],
      ['constructor'],
    ]);
  });

  it('are allowed only together with an extension they map to', () => {
    expect(extensionAliasesOf(['.doc', '.pptx', '.txt'])).toEqual(['.potx', '.xml']);
    expect(extensionAliasesOf(['.xls'])).toEqual(['.xml']);
    expect(extensionAliasesOf(['.pdf'])).toEqual([]);
  });
});
