import type { documentTypes } from '#modules/document/document.contract.ts';
import { periodOf } from '#modules/settings/site-time.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { extensionsOf } from '#platform/contract/format.ts';
import type { Context } from '#platform/server/context.ts';
import { parseIds } from '#platform/server/db/list-query.ts';
import {
  type SearchDuration,
  type SearchPageRange,
  type searchApi,
  searchDurations,
  searchPageRanges,
} from '../search.contract.ts';
import type { Filters } from '../search-engine.ts';

type Input = ParsedInputOf<typeof searchApi.search>;

const DAY_MS = 86_400_000;

/** With their dots. */
export const extensionsByType: Record<keyof typeof documentTypes, readonly string[]> = {
  pdf: dotted('pdf'),
  doc: dotted('word'),
  ppt: dotted('ppt'),
  xls: dotted('excel'),
  txt: dotted('text'),
  other: (['epub', 'mobi', 'chm', 'umd'] as const).flatMap(dotted),
};

function dotted(type: Parameters<typeof extensionsOf>[0]): string[] {
  return extensionsOf(type).map((extension) => `.${extension}`);
}

const known = <T>(table: Record<string, T>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
const some = <T>(values: readonly T[] | undefined) => (values?.length ? values : undefined);

/** When each of the times that can be asked for began. */
export const sincesOf = (ctx: Context): Record<SearchDuration, string> =>
  Object.fromEntries(
    Object.entries(searchDurations).map(([name, { days }]) => [
      name,
      new Date(ctx.now().getTime() - days * DAY_MS).toISOString(),
    ]),
  ) as Record<SearchDuration, string>;

/** What is asked for; a key nobody knows filters nothing. */
export async function filtersOf(ctx: Context, input: Input): Promise<Filters> {
  const { from, to } = await periodOf(ctx, input.created_at);
  const fee = input.fee_type;
  const pages = known(searchPageRanges, input.pages as SearchPageRange | undefined);
  return {
    extensions: known(extensionsByType, input.ext),
    categories: parseIds(input.category_id),
    users: some(input.user_id),
    languages: some(input.language),
    fee: fee === 'free' || fee === 'charge' ? fee : undefined,
    pages: pages && { from: pages.from, to: pages.to },
    since: known<string>(sincesOf(ctx), input.duration),
    from,
    to,
  };
}
