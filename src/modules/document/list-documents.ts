import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { parsePeriod } from '#modules/settings/parse-period.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { otherTypeExtensions } from '#platform/contract/extension-groups.ts';
import { extensionsOfFileType } from '#platform/contract/file-type.ts';
import type { Context } from '#platform/server/context.ts';
import { containsWords, countRows, parseOrder, positiveIds } from '#platform/server/db/list-query.ts';
import {
  type DocumentStatus,
  type documentApi,
  documentStatus,
  documentStatuses,
  type documentTypes,
} from './document.contract.ts';
import { documentCategories, documents } from './document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from './select-documents.ts';
import { addTwins, hasTwins, isOldestTwin } from './twins.ts';
import { isVisibleToCaller, seesAllDocuments } from './visibility.ts';

/** Visitors can page through this many documents; bounds the cost of counting and skipping. */
const MAX_PUBLIC_RESULTS = 1_000;

type Input = ParsedInputOf<typeof documentApi.list>;

const extensions: Record<keyof typeof documentTypes, readonly string[]> = {
  pdf: extensionsOfFileType('pdf'),
  doc: extensionsOfFileType('word'),
  ppt: extensionsOfFileType('ppt'),
  xls: extensionsOfFileType('excel'),
  txt: extensionsOfFileType('text'),
  other: otherTypeExtensions,
};

function ofType(key = ''): SQL | undefined {
  if (!Object.hasOwn(extensions, key)) return undefined;
  const list = extensions[key as keyof typeof extensions];
  return inArray(
    documents.ext,
    list.map((extension) => `.${extension}`),
  );
}

/** Unknown numbers match no document. */
function inStatus(requestedStatuses: number[]): SQL {
  const validStatuses = requestedStatuses.filter((status) => Object.hasOwn(documentStatuses, status));
  return validStatuses.length > 0 ? inArray(documents.status, validStatuses as DocumentStatus[]) : sql`false`;
}

const hasCategoryLink = (links: SQL | undefined) =>
  links &&
  sql`exists (select 1 from ${documentCategories}
    where ${documentCategories.document_id} = ${documents.id} and ${links})`;

const inCategories = (ids: number[] | undefined): SQL | undefined => {
  const categoryIds = positiveIds(ids);
  return categoryIds && inArray(documentCategories.category_id, categoryIds);
};

type DocumentFilters = Omit<Input, 'limit' | 'id' | 'has_twins' | 'collapse_twins'>;

/** Filters of document lists and the recycle bin. */
export const buildDocumentFilters = async (ctx: Context, input: DocumentFilters): Promise<SQL | undefined> =>
  and(hasCategoryLink(inCategories(input.category_id)), await buildNonCategoryFilters(ctx, input));

/** All filters except categories. */
async function buildNonCategoryFilters(ctx: Context, input: DocumentFilters): Promise<SQL | undefined> {
  const { from, to } = await parsePeriod(ctx, input.created_at);
  const recommendedFlags = new Set(input.is_recommend);
  return and(
    input.user_id?.length ? inArray(documents.user_id, input.user_id) : undefined,
    input.status?.length ? inStatus(input.status) : undefined,
    recommendedFlags.size === 1 ? (recommendedFlags.has(true) ? isNotNull : isNull)(documents.recommend_at) : undefined,
    ofType(input.ext),
    input.fee_type === 'free' ? eq(documents.price, 0) : undefined,
    input.fee_type === 'charge' ? gt(documents.price, 0) : undefined,
    input.language?.length ? inArray(documents.language, input.language) : undefined,
    from ? gte(documents.created_at, from) : undefined,
    to ? lte(documents.created_at, to) : undefined,
  );
}

const { id, title, size, price, score, created_at, updated_at, recommend_at } = documents;
const { view_count, download_count, favorite_count, comment_count, deleted_at } = documents;
const orderColumns = {
  id,
  title,
  size,
  price,
  score,
  created_at,
  updated_at,
  recommend_at,
  deleted_at,
  view_count,
  download_count,
  favorite_count,
  comment_count,
  pages: renditions.pages,
};

/** The requested order, then newest first, so that pages never overlap. Rows without a value come last. */
export function buildDocumentOrder(input: Pick<Input, 'order' | 'sort' | 'is_recommend'>, tieBreaker = desc(id)) {
  const requestedOrder = parseOrder(input, Object.keys(orderColumns) as (keyof typeof orderColumns)[]);
  const onlyRecommended = input.is_recommend?.length === 1 && input.is_recommend[0];
  const terms = requestedOrder.map(({ column, descending }) => {
    const term = (descending ? desc : asc)(orderColumns[column]);
    const mayBeNull = (column === 'recommend_at' && !onlyRecommended) || column === 'pages';
    return mayBeNull && descending ? sql`${term} nulls last` : term;
  });
  return [...terms, tieBreaker];
}

export async function listDocuments(ctx: Context, input: Input) {
  const isMyList = input.user_id?.length === 1 && input.user_id[0] === ctx.user?.id;
  const isManager = seesAllDocuments(ctx) || isMyList;
  const filters = and(
    isVisibleToCaller(ctx),
    await buildNonCategoryFilters(ctx, input),
    input.id && inArray(documents.id, input.id),
    isManager ? containsWords([title, documents.keywords], input.wd) : undefined,
    seesAllDocuments(ctx) ? hasTwins(input.has_twins) : undefined,
  );
  const links = buildCategoryLinkCondition(ctx, input);
  const condition = input.collapse_twins ? and(filters, isOldestTwin(and(filters, hasCategoryLink(links)))) : filters;
  const fullCondition = and(condition, hasCategoryLink(links));
  if (input.limit) {
    const rows = await selectDocumentPage(ctx, input, fullCondition, { limit: input.limit, offset: 0 });
    return { total: 0, document: rows };
  }
  const total = isManager
    ? await countRows(ctx.db, documents, fullCondition)
    : await countPublicResults(ctx, { condition, links, scansLinks: shouldScanCategoryLinks(input) });
  const offset = (input.page - 1) * input.size;
  if (offset >= total) return { total, document: [] };
  const limit = Math.min(input.size, total - offset);
  return { total, document: await selectDocumentPage(ctx, input, fullCondition, { limit, offset }) };
}

/** Selects ids first, by an index alone if possible, then reads the full rows of these only. */
async function selectDocumentPage(
  ctx: Context,
  input: Input,
  fullCondition: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  const idQuery = ctx.db.select({ id }).from(documents).$dynamic();
  const isByPages = /\bpages\b/.test(input.order ?? input.sort ?? '');
  const query = isByPages ? idQuery.leftJoin(renditions, eq(renditions.id, documents.rendition_id)) : idQuery;
  const idRows = await query
    // Converted documents always have a rendition; stating it lets the planner use the index on page counts.
    .where(and(fullCondition, isByPages && isReadableOnly(input) ? isNotNull(renditions.id) : undefined))
    .orderBy(...buildDocumentOrder(input))
    .limit(limit)
    .offset(offset);
  if (idRows.length === 0) return [];
  const ids = idRows.map((row) => row.id);
  const rows = await selectDocuments(ctx).where(inArray(id, ids));
  const describedRows = await addCategoriesAndUrls(ctx, rows);
  const listedRows = input.collapse_twins ? await addTwins(ctx, describedRows) : describedRows;
  const byId = new Map(listedRows.map((row) => [row.id, row]));
  return ids.flatMap((each) => byId.get(each) ?? []);
}

const isReadableOnly = ({ status }: Input) => status?.length === 1 && status[0] === documentStatus.converted;

/** Category links to search. For visitors who request readable documents, only links marked readable. */
function buildCategoryLinkCondition(ctx: Context, input: Input): SQL | undefined {
  const { category_id } = input;
  return and(
    inCategories(category_id),
    positiveIds(category_id) && !ctx.user && isReadableOnly(input) ? sql`${documentCategories.is_readable}` : undefined,
  );
}

/** Scans the links of one category, unless another filter selects fewer documents. */
const shouldScanCategoryLinks = ({ category_id, created_at, ext }: Input) =>
  positiveIds(category_id)?.length === 1 && !created_at?.length && !ofType(ext);

/** Counts up to MAX_PUBLIC_RESULTS. */
async function countPublicResults(
  ctx: Context,
  { condition, links, scansLinks }: { condition: SQL | undefined; links: SQL | undefined; scansLinks: boolean },
): Promise<number> {
  const idQuery = scansLinks
    ? // `offset 0` keeps the planner from reading all documents for the links of one category.
      sql`select 1 from ${documentCategories} where ${links} and exists (
        select 1 from ${documents}
        where ${documents.id} = ${documentCategories.document_id} and ${condition} offset 0)`
    : sql`select 1 from ${documents} where ${and(condition, hasCategoryLink(links))}`;
  const { rows } = await ctx.db.execute<{ total: number }>(
    sql`select count(*)::int as total from (${idQuery} limit ${MAX_PUBLIC_RESULTS}) as limited_rows`,
  );
  return rows[0]?.total ?? 0;
}
