import { describe, expect, it } from 'vitest';
import { pathToRoot, subtreeHeight, subtreeIds, visibleCategories } from './category-tree.ts';
import { splitTitles } from './create-categories.ts';

// 1 ─ 2 ─ 4 ─ 5     6 (disabled) ─ 7 ─ 8
//   └ 3
const row = (id: number, parent_id: number, enable = true) => ({ id, parent_id, enable });
const rows = [...[row(1, 0), row(2, 1), row(3, 1), row(4, 2), row(5, 4)], ...[row(6, 0, false), row(7, 6), row(8, 7)]];
const ids = (categories: { id: number }[]) => categories.map(({ id }) => id);

describe('the category tree', () => {
  it('returns the path from a category to the root, and an empty path for an unknown id', () => {
    expect(ids(pathToRoot(rows, 5))).toEqual([5, 4, 2, 1]);
    expect(pathToRoot(rows, 99)).toEqual([]);
  });

  it('returns the ids and the height of a subtree', () => {
    expect([...subtreeIds(rows, [2, 6])].toSorted()).toEqual([2, 4, 5, 6, 7, 8]);
    expect([subtreeHeight(rows, 1), subtreeHeight(rows, 2), subtreeHeight(rows, 5)]).toEqual([4, 3, 1]);
  });

  it('hides categories below a disabled category from visitors', () => {
    expect(ids(visibleCategories(rows))).toEqual([1, 2, 3, 4, 5]);
    expect(ids(visibleCategories(rows.map((each) => ({ ...each, enable: each.id !== 4 }))))).toEqual([
      1, 2, 3, 6, 7, 8,
    ]);
  });

  it('hides categories without a root or in a cycle, and terminates', () => {
    const invalidRows = [row(1, 2), row(2, 1), row(3, 99)];
    expect(visibleCategories(invalidRows)).toEqual([]);
    expect(pathToRoot(invalidRows, 1).length).toBeLessThan(10);
  });
});

it('splitTitles splits by line, trims, and removes blank lines and duplicates', () => {
  expect(splitTitles(' 数学 \r\n\r\n物理\n  \n数学\n化 学\u2028生物')).toEqual(['数学', '物理', '化 学', '生物']);
});
