import type { Category } from '../category.contract.ts';

export type CategoryItem = Pick<Category, 'id' | 'title' | 'parent_id' | 'cover' | 'doc_count' | 'enable'>;
export type CategoryNode = CategoryItem & { children: CategoryNode[] };
export type Categories = {
  list: CategoryItem[];
  map: Record<number, CategoryItem>;
  tree: CategoryNode[];
};

/** Path from the root to the category; empty when the category or an ancestor is missing or the rows form a cycle. */
export function pathFromRoot(map: Categories['map'], id: number): CategoryItem[] {
  const path: CategoryItem[] = [];
  const visitedIds = new Set<number>();
  for (let at = id; at !== 0; ) {
    const item = map[at];
    if (!item || visitedIds.has(at)) return [];
    visitedIds.add(at);
    path.unshift(item);
    at = item.parent_id;
  }
  return path;
}

/** Builds list, map and tree. A disabled parent disables its children; a missing parent hides them. */
export function indexCategories(items: readonly CategoryItem[]): Categories {
  const itemsById: Categories['map'] = Object.fromEntries(items.map((item) => [item.id, item]));
  const list = items.flatMap((item) => {
    const path = pathFromRoot(itemsById, item.id);
    return path.length === 0 ? [] : [{ ...item, enable: path.every(({ enable }) => enable) }];
  });
  const nodes = new Map(list.map((item) => [item.id, { ...item, children: [] } as CategoryNode]));
  const tree: CategoryNode[] = [];
  for (const node of nodes.values()) {
    (nodes.get(node.parent_id)?.children ?? tree).push(node);
  }
  return { list, map: Object.fromEntries(list.map((item) => [item.id, item])), tree };
}

export function visibleTree(tree: CategoryNode[], hideEmpty: boolean): CategoryNode[] {
  return tree
    .filter(({ enable, doc_count }) => enable && (!hideEmpty || doc_count > 0))
    .map((node) => ({ ...node, children: visibleTree(node.children, hideEmpty) }));
}
