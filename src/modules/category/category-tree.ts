/** `parent_id` is 0 for a top-level category. */
type Node = { id: number; parent_id: number };

export const MAX_DEPTH = 8;

/** The category and its ancestors, the category first. Empty when it does not exist. */
export function pathToRoot<N extends Node>(nodes: readonly N[], id: number): N[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: N[] = [];
  let node = byId.get(id);
  // The length check ends the loop if rows edited in the database form a cycle.
  while (node && path.length <= nodes.length) {
    path.push(node);
    node = byId.get(node.parent_id);
  }
  return path;
}

export function subtreeIds(nodes: readonly Node[], ids: readonly number[]): Set<number> {
  const childrenOf = Map.groupBy(nodes, ({ parent_id }) => parent_id);
  const subtree = new Set<number>();
  const pendingIds = [...ids];
  for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
    if (subtree.has(id)) continue;
    subtree.add(id);
    pendingIds.push(...(childrenOf.get(id) ?? []).map((child) => child.id));
  }
  return subtree;
}

/** Number of levels of the subtree of a category. */
export function subtreeHeight(nodes: readonly Node[], id: number): number {
  const depth = pathToRoot(nodes, id).length;
  const depths = [...subtreeIds(nodes, [id])].map((each) => pathToRoot(nodes, each).length);
  return Math.max(depth, ...depths) - depth + 1;
}

/** Categories that visitors see: enabled ones with enabled ancestors. */
export function visibleCategories<N extends Node & { enable: boolean }>(rows: readonly N[]): N[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const visibilityById = new Map<number, boolean>([[0, true]]);
  const isVisible = (id: number): boolean => {
    const cachedVisibility = visibilityById.get(id);
    if (cachedVisibility !== undefined) return cachedVisibility;
    // Ends the recursion if the rows form a cycle.
    visibilityById.set(id, false);
    const row = byId.get(id);
    const isRowVisible = row?.enable === true && isVisible(row.parent_id);
    visibilityById.set(id, isRowVisible);
    return isRowVisible;
  };
  return rows.filter(({ id }) => isVisible(id));
}
