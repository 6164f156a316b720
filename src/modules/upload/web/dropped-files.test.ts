import { expect, test } from 'vitest';
import { droppedFiles } from './dropped-files.ts';

const fileEntry = (name: string, isReadable = true) => ({
  name,
  isFile: true,
  file: (done: (file: File) => void, fail: (error: Error) => void) =>
    isReadable ? done(new File(['x'], name)) : fail(new Error('gone')),
});
const folderEntry = (name: string, entries: object[]) => ({
  name,
  isFile: false,
  createReader: () => {
    const portions = [entries, []];
    return { readEntries: (done: (entries: object[]) => void) => done(portions.shift() ?? []) };
  },
});
const drop = (...entries: object[]) =>
  droppedFiles({
    items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
    files: [],
  } as never);

test('a file of a folder that cannot be read is named, and the others are taken', async () => {
  const { files, problems } = await drop(
    folderEntry('书', [fileEntry('一.txt'), fileEntry('坏.txt', false), fileEntry('二.txt')]),
  );
  expect(files.map(({ name }) => name)).toEqual(['一.txt', '二.txt']);
  expect(problems).toEqual(['坏.txt 无法读取，忽略该文件']);
});

test('a folder with too many files is cut, and that is said', async () => {
  const many = Array.from({ length: 2_001 }, (_, at) => fileEntry(`${at}.txt`));
  const { files, problems } = await drop(folderEntry('很多', many));
  expect(files).toHaveLength(2_000);
  expect(problems).toEqual(['一次最多加入 2000 个文件，其余的请分批拖入']);
  expect((await drop(folderEntry('正好', many.slice(1)))).problems).toEqual([]);
});
