import { describe, expect, it } from 'vitest';
import { splitTitles } from './create-categories.ts';
import { chainOf, heightOf, subtreeOf, visibleOf } from './tree.ts';

// 1 ─ 2 ─ 4 ─ 5     6 (disabled) ─ 7 ─ 8
//   └ 3
const row = (id: number, parent_id: number, enable = true) => ({ id, parent_id, enable });
const rows = [...[row(1, 0), row(2, 1), row(3, 1), row(4, 2), row(5, 4)], ...[row(6, 0, false), row(7, 6), row(8, 7)]];
const ids = (found: { id: number }[]) => found.map(({ id }) => id);

describe('the tree of categories', () => {
  it('goes from a category up to the top', () => {
    expect(ids(chainOf(rows, 5))).toEqual([5, 4, 2, 1]);
    expect(chainOf(rows, 99)).toEqual([]);
  });

  it('knows what is below a category, and how many levels that takes', () => {
    expect([...subtreeOf(rows, [2, 6])].toSorted()).toEqual([2, 4, 5, 6, 7, 8]);
    expect([heightOf(rows, 1), heightOf(rows, 2), heightOf(rows, 5)]).toEqual([4, 3, 1]);
  });

  it('hides from visitors what is below a disabled category', () => {
    expect(ids(visibleOf(rows))).toEqual([1, 2, 3, 4, 5]);
    expect(ids(visibleOf(rows.map((each) => ({ ...each, enable: each.id !== 4 }))))).toEqual([1, 2, 3, 6, 7, 8]);
  });

  it('hides what hangs in the air or bites its own tail, and comes to an end', () => {
    const broken = [row(1, 2), row(2, 1), row(3, 99)];
    expect(visibleOf(broken)).toEqual([]);
    expect(chainOf(broken, 1).length).toBeLessThan(10);
  });
});

it('names are taken line by line, trimmed, without blanks and repetitions', () => {
  expect(splitTitles(' 数学 \r\n\r\n物理\n  \n数学\n化 学\u2028生物')).toEqual(['数学', '物理', '化 学', '生物']);
});
