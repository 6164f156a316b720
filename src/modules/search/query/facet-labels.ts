import { getVisibleCategories } from '#modules/category/category.ts';
import { documentTypes } from '#modules/document/document.contract.ts';
import type { Context } from '#platform/server/context.ts';
import { type SearchFacet, searchDurations, searchFees, searchPageRanges } from '../search.contract.ts';
import type { Facets } from '../search-engine.ts';
import { extensionsByType } from './search-filters.ts';

const languages: Record<string, string> = {
  zh: '中文',
  'zh-CN': '简体中文',
  'zh-TW': '繁体中文',
  en: '英语',
  ja: '日语',
  ko: '韩语',
  ru: '俄语',
  fr: '法语',
  de: '德语',
};

const MAX_CATEGORIES = 30;

/** The values that occur, in display order. */
const inDisplayOrder = (titles: Record<string, string>, counts: Map<string, number>): SearchFacet =>
  Object.entries(titles).flatMap(([value, title]) => {
    const count = counts.get(value) ?? 0;
    return count > 0 ? [{ value, title, count }] : [];
  });

const sortByCount = (facet: SearchFacet) => facet.sort((a, b) => b.count - a.count);

function sumCountsByDocumentType(counts: Map<string, number>): Map<string, number> {
  const types = Object.entries(extensionsByType);
  return new Map(types.map(([type, list]) => [type, list.reduce((sum, ext) => sum + (counts.get(ext) ?? 0), 0)]));
}

const titlesOf = (table: Record<string, { title: string }>) =>
  Object.fromEntries(Object.entries(table).map(([key, { title }]) => [key, title]));

/** Adds display titles. Hidden categories are left out. */
export async function labelFacets(ctx: Context, facets: Facets) {
  const categories = await getVisibleCategories(ctx);
  const categoryFacet = categories.flatMap(({ id, title }) => {
    const count = facets.category.get(String(id)) ?? 0;
    return count > 0 ? [{ value: String(id), title, count }] : [];
  });
  return {
    agg_ext: inDisplayOrder(documentTypes, sumCountsByDocumentType(facets.ext)),
    agg_category: sortByCount(categoryFacet).slice(0, MAX_CATEGORIES),
    agg_language: sortByCount(
      [...facets.language]
        .filter(([value]) => value !== '')
        .map(([value, count]) => ({ value, title: languages[value] ?? value, count })),
    ),
    agg_duration: inDisplayOrder(titlesOf(searchDurations), facets.duration),
    agg_pages: inDisplayOrder(titlesOf(searchPageRanges), facets.pages),
    agg_fee_type: inDisplayOrder(searchFees, facets.fee_type),
  };
}
