import type { Category } from '../../category.contract.ts';

export type CategoryTableRow = Category & { children?: CategoryTableRow[] };

/** Builds a tree. A row whose parent is filtered out becomes a root. */
export function toCategoryTree(rows: Category[]): CategoryTableRow[] {
  const nodes = new Map(rows.map((row) => [row.id, { ...row } as CategoryTableRow]));
  const roots: CategoryTableRow[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parent_id);
    if (parent) parent.children = [...(parent.children ?? []), node];
    else roots.push(node);
  }
  return roots;
}

/** Options of a parent select: the tree without the category `excludedId` and its subtree. */
export type CategoryOption = { value: number; title: string; children: CategoryOption[] };
export const toCategoryOptions = (nodes: CategoryTableRow[], excludedId?: number): CategoryOption[] =>
  nodes
    .filter(({ id }) => id !== excludedId)
    .map(({ id, title, children }) => ({
      value: id,
      title,
      children: toCategoryOptions(children ?? [], excludedId),
    }));
