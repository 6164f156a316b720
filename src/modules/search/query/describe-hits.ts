import { describeDocuments } from '#modules/document/document.ts';
import { canRead } from '#modules/document/visibility.ts';
import { entitlementOf, readablePages, withPreview } from '#modules/reading/preview.ts';
import type { Context } from '#platform/server/context.ts';
import type { SearchHit } from '../search.contract.ts';
import { cutSnippet, highlightsIn } from '../text/cut-snippet.ts';
import type { Query } from './parse-query.ts';
import type { RankedText } from './rank-texts.ts';
import type { ScoredPage } from './score-text.ts';

const SNIPPETS = 3;
const NUMBERS = 20;

/** Documents as the caller may see them, with the pages that answer. What may not be read is not quoted. */
export async function describeHits(ctx: Context, { words }: Query, found: readonly RankedText[]): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const [described, entitlement] = await Promise.all([
    describeDocuments(
      ctx,
      found.map(({ row }) => row),
    ),
    entitlementOf(
      ctx,
      found.map(({ row }) => row.id),
    ),
  ]);
  const documentRows = await withPreview(ctx, described, entitlement);
  const shown = await Promise.all(
    found.map(async ({ text, weighed }, at) => {
      const row = described[at];
      if (!row) return [];
      const readable = canRead(ctx, row) ? await readablePages(ctx, row, row.pages, entitlement) : 0;
      const open = weighed.pages.filter(({ page }) => page <= readable);
      const bodies = open.length > 0 ? text.split('\f') : [];
      const snippet = bestOf(open).map(({ page, count, best }) => ({
        page,
        count,
        ...cutSnippet(bodies[page - 1] ?? '', words, best),
      }));
      return {
        ...(documentRows[at] ?? row),
        title_marks: highlightsIn(row.title, words),
        description_marks: highlightsIn(row.description, words),
        snippet,
        hit_page: open.slice(0, NUMBERS).map(({ page }) => page),
        hit_pages: open.length,
        locked_pages: weighed.pages.length - open.length,
      };
    }),
  );
  return shown.flat();
}

const bestOf = (pages: ScoredPage[]): ScoredPage[] =>
  pages.toSorted((one, other) => other.score - one.score || one.page - other.page).slice(0, SNIPPETS);
