import { expect, test } from 'vitest';
import { readDroppedFiles } from './dropped-files.ts';

const fileEntry = (name: string, isReadable = true) => ({
  name,
  isFile: true,
  file: (onSuccess: (file: File) => void, fail: (error: Error) => void) =>
    isReadable ? onSuccess(new File(['x'], name)) : fail(new Error('not readable')),
});
const folderEntry = (name: string, children: object[]) => ({
  name,
  isFile: false,
  createReader: () => {
    const batches = [children, []];
    return { readEntries: (onSuccess: (entries: object[]) => void) => onSuccess(batches.shift() ?? []) };
  },
});
const drop = (...entries: object[]) =>
  readDroppedFiles({
    items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
    files: [],
  } as never);

test('readDroppedFiles reports an unreadable file of a folder and returns the other files', async () => {
  const { files, problems } = await drop(
    folderEntry('书', [fileEntry('一.txt'), fileEntry('坏.txt', false), fileEntry('二.txt')]),
  );
  expect(files.map(({ name }) => name)).toEqual(['一.txt', '二.txt']);
  expect(problems).toEqual(['坏.txt 无法读取，忽略该文件']);
});

test('readDroppedFiles returns at most 2,000 files of a folder and reports the limit', async () => {
  const entries = Array.from({ length: 2_001 }, (_, at) => fileEntry(`${at}.txt`));
  const { files, problems } = await drop(folderEntry('很多', entries));
  expect(files).toHaveLength(2_000);
  expect(problems).toEqual(['一次最多加入 2000 个文件，其余的请分批拖入']);
  expect((await drop(folderEntry('正好', entries.slice(1)))).problems).toEqual([]);
});
