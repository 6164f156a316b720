import { expect, test } from 'vitest';
import { indexCategories } from '#modules/category/web/indexed-categories.ts';
import type { ArchiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { entryName, groupByFolder } from './archive-entries.ts';

const category = (id: number, title: string, parent_id = 0, enable = true) => ({
  id,
  title,
  parent_id,
  enable,
  cover: '',
  doc_count: 0,
});
const { map } = indexCategories([
  category(1, '教育考试'),
  category(2, '试题', 1),
  category(3, '职业培训'),
  category(4, '试题', 3),
  category(5, '停用', 0, false),
]);
const entries = (...paths: string[]): ArchiveEntry[] =>
  paths.map((path, index) => ({ index, path, size: 1, problem: null }));
const folders = (...paths: string[]) =>
  groupByFolder(entries(...paths), map).map(({ path, categoryId, entries: members }) => [
    path,
    categoryId,
    members.map(entryName),
  ]);

test('groupByFolder groups the files of an archive and finds the category with the name of a folder', () => {
  expect(folders('a.txt', '教育考试/b.txt', '其他/c.txt', '教育考试/d.txt', '教育考试/新/e.txt')).toEqual([
    ['', 0, ['a.txt']],
    ['教育考试', 1, ['b.txt', 'd.txt']],
    ['其他', 0, ['c.txt']],
    ['教育考试/新', 1, ['e.txt']],
  ]);
});

test('groupByFolder prefers a category whose parent has the name of the folder around it', () => {
  expect(folders('职业培训/试题/a.txt', '教育考试/试题/b.txt', '试题/c.txt', '停用/d.txt').map(([, id]) => id)).toEqual(
    [4, 2, 2, 0],
  );
});
