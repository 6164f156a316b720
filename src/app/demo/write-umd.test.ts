import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { flowWriter } from '#modules/conversion/sandboxed/flow/flow-writer.ts';
import { readUmd } from '#modules/conversion/sandboxed/flow/umd.ts';
import { writeUmd } from './write-umd.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'umd-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a UMD book is read back with each chapter title once, above its text', () => {
  const paragraph = (text: string) => ({ kind: 'text' as const, text });
  const sections = [
    { title: '九尾狐', blocks: [paragraph('青丘之山有兽焉。')] },
    { title: '精卫 & 海', blocks: [paragraph('精卫 & 海'), paragraph('发鸠之山有鸟焉。')] },
  ];
  const file = path.join(folder, 'book.umd');
  writeFileSync(file, writeUmd({ title: '山海异兽录', author: '何小满', sections }));
  const writer = flowWriter(folder, () => {});
  expect(readUmd(file, writer)).toEqual({ title: '山海异兽录', author: '何小满' });
  writer.finish({});
  const pages = ['00001', '00002'].map((page) => JSON.parse(readFileSync(`${folder}/f/${page}.json`, 'utf8')));
  expect(pages.map(({ html }) => html)).toEqual([
    '<h2>九尾狐</h2><p>青丘之山有兽焉。</p>',
    '<h2>精卫 &amp; 海</h2><p>发鸠之山有鸟焉。</p>',
  ]);
  expect(readFileSync(`${folder}/text.txt`, 'utf8')).toBe('九尾狐\n青丘之山有兽焉。\f精卫 & 海\n发鸠之山有鸟焉。');
});

test('a UMD book that has only chapter titles is rejected as empty', () => {
  const file = path.join(folder, 'empty.umd');
  const sections = [{ title: '九尾狐', blocks: [] }];
  writeFileSync(file, writeUmd({ title: '山海异兽录', author: '何小满', sections }));
  expect(() =>
    readUmd(
      file,
      flowWriter(folder, () => {}),
    ),
  ).toThrow('empty');
});
