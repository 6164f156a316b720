import { type FacetName, type Facets, facetNames } from '../search-engine.ts';

/** A matching document that has twins, with the values for counting and sorting. */
export type MatchingTwin = {
  id: number;
  group: number;
  sortValue: number;
  /** The facet whose own filter rejects the document; null if it passes all filters. */
  rejectedBy: FacetName | null;
  values: Record<FacetName, readonly string[]>;
};

type CollapsedTwins = {
  /** The oldest of each group that passes all filters. */
  oldest: MatchingTwin[];
  /** Number of groups per facet value; a facet ignores its own filter. */
  facets: Facets;
};

/** Counts each group once, in every facet value that one of its documents has. */
export function collapseTwins(twins: readonly MatchingTwin[]): CollapsedTwins {
  const oldest: MatchingTwin[] = [];
  const facets = Object.fromEntries(facetNames.map((name) => [name, new Map<string, number>()])) as Facets;
  for (const group of Map.groupBy(twins, (twin) => twin.group).values()) {
    const acceptedTwins = group.filter(({ rejectedBy }) => rejectedBy === null);
    const [first, ...otherTwins] = acceptedTwins;
    if (first) oldest.push(otherTwins.reduce((best, twin) => (twin.id < best.id ? twin : best), first));
    for (const name of facetNames) {
      const countedTwins = group.filter(({ rejectedBy }) => rejectedBy === null || rejectedBy === name);
      const counts = facets[name];
      for (const value of new Set(countedTwins.flatMap(({ values }) => values[name])))
        counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return { oldest, facets };
}
