/** The API writes the top as 0. */
type Node = { id: number; parent_id: number };

export const MAX_DEPTH = 8;

/** From a category up to the top, itself first. */
export function chainOf<N extends Node>(nodes: readonly N[], id: number): N[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const chain: N[] = [];
  let node = byId.get(id);
  // The length guards against rows that were made to form a ring by hand.
  while (node && chain.length <= nodes.length) {
    chain.push(node);
    node = byId.get(node.parent_id);
  }
  return chain;
}

/** The categories named and everything below them. */
export function subtreeOf(nodes: readonly Node[], ids: readonly number[]): Set<number> {
  const childrenOf = Map.groupBy(nodes, ({ parent_id }) => parent_id);
  const found = new Set<number>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(childrenOf.get(id) ?? []).map((child) => child.id));
  }
  return found;
}

/** Levels a category and what is below it take up. */
export function heightOf(nodes: readonly Node[], id: number): number {
  const above = chainOf(nodes, id).length;
  const depths = [...subtreeOf(nodes, [id])].map((each) => chainOf(nodes, each).length);
  return Math.max(above, ...depths) - above + 1;
}

/** What visitors see: rows that are enabled together with all that is above them. */
export function visibleOf<N extends Node & { enable: boolean }>(rows: readonly N[]): N[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const known = new Map<number, boolean>([[0, true]]);
  const isVisible = (id: number): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const row = byId.get(id);
    const answer = row?.enable === true && isVisible(row.parent_id);
    known.set(id, answer);
    return answer;
  };
  return rows.filter(({ id }) => isVisible(id));
}
