import { addCategoriesAndUrls } from '#modules/document/select-documents.ts';
import { addTwins } from '#modules/document/twins.ts';
import { canRead } from '#modules/document/visibility.ts';
import { countReadablePages, loadReadingEntitlement, withCallerPreviewLimit } from '#modules/reading/preview-limit.ts';
import type { Context } from '#platform/server/context.ts';
import type { SearchHit } from '../search.contract.ts';
import { cutSnippet, highlightsIn } from '../text/cut-snippet.ts';
import type { Query } from './parse-query.ts';
import type { RankedText } from './rank-by-full-text.ts';
import type { ScoredPage } from './score-text.ts';

const MAX_SNIPPETS = 3;
const MAX_PAGE_NUMBERS = 20;

/** Snippets come only from pages that the caller may read. */
export async function buildSearchHits(
  ctx: Context,
  { words }: Query,
  matches: readonly RankedText[],
  { collapsesTwins }: { collapsesTwins: boolean },
): Promise<SearchHit[]> {
  if (matches.length === 0) return [];
  const [describedDocuments, entitlement] = await Promise.all([
    addCategoriesAndUrls(
      ctx,
      matches.map(({ row }) => row),
    ),
    loadReadingEntitlement(
      ctx,
      matches.map(({ row }) => row.id),
    ),
  ]);
  const documentRows = await withCallerPreviewLimit(ctx, describedDocuments, entitlement);
  const hits = await Promise.all(
    matches.map(async ({ text, scoredText }, at) => {
      const row = describedDocuments[at];
      if (!row) return [];
      const readableCount = canRead(ctx, row) ? await countReadablePages(ctx, row, row.pages, entitlement) : 0;
      const openPages = scoredText.pages.filter(({ page }) => page <= readableCount);
      const bodies = openPages.length > 0 ? text.split('\f') : [];
      const snippet = selectBestPages(openPages).map(({ page, count, best }) => ({
        page,
        count,
        ...cutSnippet(bodies[page - 1] ?? '', words, best),
      }));
      return {
        ...(documentRows[at] ?? row),
        title_marks: highlightsIn(row.title, words),
        description_marks: highlightsIn(row.description, words),
        snippet,
        hit_page: openPages.slice(0, MAX_PAGE_NUMBERS).map(({ page }) => page),
        hit_pages: openPages.length,
        locked_pages: scoredText.pages.length - openPages.length,
      };
    }),
  );
  return collapsesTwins ? addTwins(ctx, hits.flat()) : hits.flat();
}

const selectBestPages = (pages: ScoredPage[]): ScoredPage[] =>
  pages.toSorted((a, b) => b.score - a.score || a.page - b.page).slice(0, MAX_SNIPPETS);
