import type { Category } from '../../category.contract.ts';

export type CategoryTableRow = Category & { children?: CategoryTableRow[] };

/** Rows as a tree. A row whose parent a filter has left out stands at the top. */
export function toNodes(rows: Category[]): CategoryTableRow[] {
  const nodes = new Map(rows.map((row) => [row.id, { ...row } as CategoryTableRow]));
  const roots: CategoryTableRow[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parent_id);
    if (parent) parent.children = [...(parent.children ?? []), node];
    else roots.push(node);
  }
  return roots;
}

/** Choices of a parent: the tree without the category itself and what lies below it. */
export type Choice = { value: number; title: string; children: Choice[] };
export const toChoices = (nodes: CategoryTableRow[], without?: number): Choice[] =>
  nodes
    .filter(({ id }) => id !== without)
    .map(({ id, title, children }) => ({
      value: id,
      title,
      children: toChoices(children ?? [], without),
    }));
