import { describe, expect, it } from 'vitest';
import { indexCategories, pathFromRoot, visibleTree } from './indexed-categories.ts';

const item = (id: number, parent_id = 0, enable = true, doc_count = 0) => ({
  id,
  parent_id,
  enable,
  doc_count,
  title: `分类 ${id}`,
  cover: '',
});

describe('indexed categories', () => {
  it('are available as a list, by id and as a tree in the given order', () => {
    const { list, map, tree } = indexCategories([item(2), item(1), item(3, 1), item(4, 3)]);
    expect(list.map(({ id }) => id)).toEqual([2, 1, 3, 4]);
    expect(map[4]?.title).toBe('分类 4');
    expect(tree.map(({ id }) => id)).toEqual([2, 1]);
    expect(tree[1]?.children[0]?.children[0]?.id).toBe(4);
  });
  it('are disabled below a disabled parent', () => {
    const { map } = indexCategories([item(1, 0, false), item(2, 1), item(3, 2), item(4)]);
    expect([map[1], map[2], map[3], map[4]].map((each) => each?.enable)).toEqual([false, false, false, true]);
  });
  it('without their parent are hidden and do not become top-level', () => {
    const { list, tree } = indexCategories([item(1), item(2, 99), item(3, 2)]);
    expect(list.map(({ id }) => id)).toEqual([1]);
    expect(tree).toHaveLength(1);
  });
  it('that form a cycle are hidden', () => {
    expect(indexCategories([item(1, 2), item(2, 1)]).list).toEqual([]);
  });
  it('have a path from the root', () => {
    const { map } = indexCategories([item(1), item(2, 1), item(3, 2)]);
    expect(pathFromRoot(map, 3).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(pathFromRoot(map, 99)).toEqual([]);
  });
  it('are filtered to enabled ones, and optionally to those with documents', () => {
    const { tree } = indexCategories([item(1, 0, true, 5), item(2), item(3, 0, false), item(4, 1)]);
    expect(visibleTree(tree, false).map(({ id }) => id)).toEqual([1, 2]);
    expect(visibleTree(tree, true)).toMatchObject([{ id: 1, children: [] }]);
  });
});
