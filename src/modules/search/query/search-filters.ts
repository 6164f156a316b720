import type { documentTypes } from '#modules/document/document.contract.ts';
import { parsePeriod } from '#modules/settings/parse-period.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { otherTypeExtensions } from '#platform/contract/extension-groups.ts';
import { extensionsOfFileType } from '#platform/contract/file-type.ts';
import type { Context } from '#platform/server/context.ts';
import { positiveIds } from '#platform/server/db/list-query.ts';
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

/** Extensions include the dot. */
export const extensionsByType: Record<keyof typeof documentTypes, readonly string[]> = {
  pdf: extensionsWithDot('pdf'),
  doc: extensionsWithDot('word'),
  ppt: extensionsWithDot('ppt'),
  xls: extensionsWithDot('excel'),
  txt: extensionsWithDot('text'),
  other: otherTypeExtensions.map(withDot),
};

function extensionsWithDot(type: Parameters<typeof extensionsOfFileType>[0]): string[] {
  return extensionsOfFileType(type).map(withDot);
}

function withDot(extension: string): string {
  return `.${extension}`;
}

const firstOfType = new Map(
  Object.values(extensionsByType).flatMap((list) =>
    list.map((extension) => [extension, list[0] ?? extension] as const),
  ),
);
/** The same extension for all of a type: the facet shows types, so a group of twins counts once for each. */
export const representativeExtension = (extension: string): string => firstOfType.get(extension) ?? extension;

const lookUp = <T>(table: Record<string, T>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
const nonEmpty = <T>(values: readonly T[] | undefined) => (values?.length ? values : undefined);

export const selectablePeriodStarts = (ctx: Context): Record<SearchDuration, string> =>
  Object.fromEntries(
    Object.entries(searchDurations).map(([name, { days }]) => [
      name,
      new Date(ctx.now().getTime() - days * DAY_MS).toISOString(),
    ]),
  ) as Record<SearchDuration, string>;

/** Unknown keys filter nothing. */
export async function parseSearchFilters(ctx: Context, input: Input): Promise<Filters> {
  const { from, to } = await parsePeriod(ctx, input.created_at);
  const fee = input.fee_type;
  const pages = lookUp(searchPageRanges, input.pages as SearchPageRange | undefined);
  return {
    extensions: lookUp(extensionsByType, input.ext),
    categories: positiveIds(input.category_id),
    users: nonEmpty(input.user_id),
    languages: nonEmpty(input.language),
    fee: fee === 'free' || fee === 'charge' ? fee : undefined,
    pages: pages && { from: pages.from, to: pages.to },
    since: lookUp<string>(selectablePeriodStarts(ctx), input.duration),
    from,
    to,
  };
}
