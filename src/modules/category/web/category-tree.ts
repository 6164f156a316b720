import type { Category } from '../category.contract.ts';

export type CategoryItem = Pick<Category, 'id' | 'title' | 'parent_id' | 'cover' | 'doc_count' | 'enable'>;
export type CategoryNode = CategoryItem & { children: CategoryNode[] };
export type Categories = {
  list: CategoryItem[];
  map: Record<number, CategoryItem>;
  tree: CategoryNode[];
};

/** Root first, itself last; empty when the id, or somebody above it, is missing. */
export function ancestryOf(map: Categories['map'], id: number): CategoryItem[] {
  const path: CategoryItem[] = [];
  const seen = new Set<number>();
  for (let at = id; at !== 0; ) {
    const item = map[at];
    if (!item || seen.has(at)) return [];
    seen.add(at);
    path.unshift(item);
    at = item.parent_id;
  }
  return path;
}

/** List, map and tree. A disabled parent disables its children; one whose parent is missing is hidden. */
export function indexCategories(given: readonly CategoryItem[]): Categories {
  const raw: Categories['map'] = Object.fromEntries(given.map((item) => [item.id, item]));
  const list = given.flatMap((item) => {
    const path = ancestryOf(raw, item.id);
    return path.length === 0 ? [] : [{ ...item, enable: path.every(({ enable }) => enable) }];
  });
  const nodes = new Map(list.map((item) => [item.id, { ...item, children: [] } as CategoryNode]));
  const tree: CategoryNode[] = [];
  for (const node of nodes.values()) {
    (nodes.get(node.parent_id)?.children ?? tree).push(node);
  }
  return { list, map: Object.fromEntries(list.map((item) => [item.id, item])), tree };
}

/** What visitors see: enabled ones, and on request only those which hold documents. */
export function visibleTree(tree: CategoryNode[], hideEmpty: boolean): CategoryNode[] {
  return tree
    .filter(({ enable, doc_count }) => enable && (!hideEmpty || doc_count > 0))
    .map((node) => ({ ...node, children: visibleTree(node.children, hideEmpty) }));
}
