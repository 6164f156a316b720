import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { contents } from '#modules/content/content.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { extensionsOf } from '#platform/contract/format.ts';
import type { Context } from '#platform/server/context.ts';
import { contains, countRows, parseOrder } from '#platform/server/lists.ts';
import type { documentApi, documentTypes } from './document.contract.ts';
import { documentCategories, documents } from './document.table.ts';
import { describeDocuments, selectDocuments } from './document.ts';
import { seesAll, visibleTo } from './visible-to.ts';

/** How far visitors can turn pages; counting and skipping have an end. */
const MAX_SHOWN = 2_000;

type Input = ParsedInputOf<typeof documentApi.list>;

const extensions: Record<keyof typeof documentTypes, readonly string[]> = {
  pdf: extensionsOf('pdf'),
  doc: extensionsOf('word'),
  ppt: extensionsOf('ppt'),
  xls: extensionsOf('excel'),
  txt: extensionsOf('text'),
  other: (['epub', 'mobi', 'chm', 'umd'] as const).flatMap(extensionsOf),
};

function ofType(key = ''): SQL | undefined {
  if (!Object.hasOwn(extensions, key)) return undefined;
  const list = extensions[key as keyof typeof extensions];
  return inArray(
    documents.ext,
    list.map((extension) => `.${extension}`),
  );
}

/** A date without a zone is one of the site. */
function instantOf(text: string, timeZone: string): SQL {
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(text.trim());
  return hasZone
    ? sql`${text}::timestamptz`
    : sql`(${text}::timestamp at time zone ${timeZone}::text)`;
}

const within = (categoryIds: number[]) =>
  sql`exists (select 1 from ${documentCategories} where ${documentCategories.document_id} = ${documents.id}
    and ${inArray(documentCategories.category_id, categoryIds)})`;

/** The filters every list of documents has, the recycle bin included. */
export async function filtersOf(
  ctx: Context,
  input: Omit<Input, 'limit' | 'id'>,
): Promise<SQL | undefined> {
  const { timezone } = (await getSettings(ctx)).system;
  const [from, to] = input.created_at ?? [];
  const recommended = new Set(input.is_recommend);
  return and(
    input.category_id?.length ? within(input.category_id) : undefined,
    input.user_id?.length ? inArray(documents.user_id, input.user_id) : undefined,
    input.status?.length ? sql`${documents.status}::int in ${input.status}` : undefined,
    recommended.size === 1
      ? (recommended.has(true) ? isNotNull : isNull)(documents.recommend_at)
      : undefined,
    ofType(input.ext),
    input.fee_type === 'free' ? eq(documents.price, 0) : undefined,
    input.fee_type === 'charge' ? gt(documents.price, 0) : undefined,
    input.language?.length ? inArray(documents.language, input.language) : undefined,
    from ? sql`${documents.created_at} >= ${instantOf(from, timezone)}` : undefined,
    to ? sql`${documents.created_at} <= ${instantOf(to, timezone)}` : undefined,
  );
}

const { id, title, size, price, score, created_at, updated_at, recommend_at } = documents;
const { view_count, download_count, favorite_count, comment_count, deleted_at } = documents;
const orderColumns = {
  ...{ id, title, size, price, score, created_at, updated_at, recommend_at, deleted_at },
  ...{ view_count, download_count, favorite_count, comment_count, pages: contents.pages },
};

/** What was asked for, then the newest, so that pages never overlap. Rows without a value come last. */
export function orderOf(input: Pick<Input, 'order' | 'sort' | 'is_recommend'>, usual = desc(id)) {
  const asked = parseOrder(input, Object.keys(orderColumns) as (keyof typeof orderColumns)[]);
  const onlyRecommended = input.is_recommend?.length === 1 && input.is_recommend[0];
  const terms = asked.map(({ column, descending }) => {
    const term = (descending ? desc : asc)(orderColumns[column]);
    const mayLack = (column === 'recommend_at' && !onlyRecommended) || column === 'pages';
    return mayLack && descending ? sql`${term} nulls last` : term;
  });
  return [...terms, usual];
}

export async function listDocuments(ctx: Context, input: Input) {
  const isOwn = input.user_id?.length === 1 && input.user_id[0] === ctx.user?.id;
  const isManager = seesAll(ctx) || isOwn;
  const condition = and(
    visibleTo(ctx),
    await filtersOf(ctx, input),
    input.id && inArray(documents.id, input.id),
    isManager ? contains([title, documents.keywords], input.wd) : undefined,
  );
  const total = input.limit ? 0 : await countShown(ctx, condition, isManager);
  const limit = input.limit ?? input.size;
  const offset = input.limit ? 0 : (input.page - 1) * input.size;
  if (!input.limit && offset >= total) return { total, document: [] };
  const rows = await selectDocuments(ctx)
    .where(condition)
    .orderBy(...orderOf(input))
    .limit(input.limit ? limit : Math.min(limit, total - offset))
    .offset(offset);
  return { total, document: await describeDocuments(ctx, rows) };
}

async function countShown(ctx: Context, condition: SQL | undefined, exact: boolean) {
  if (exact) return countRows(ctx.db, documents, condition);
  const some = ctx.db
    .select({ one: sql`1` })
    .from(documents)
    .where(condition)
    .limit(MAX_SHOWN)
    .as('some');
  const [row] = await ctx.db.select({ total: sql<number>`count(*)::int` }).from(some);
  return row?.total ?? 0;
}
