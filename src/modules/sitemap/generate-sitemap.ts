import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { users } from '#modules/account/account.table.ts';
import { recordAudit } from '#modules/audit/audit.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { isPublic } from '#modules/document/visibility.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { type SitemapKind, sitemapFiles, sitemapProgress } from './sitemap.table.ts';

/** A file covers so many numbers, so it never holds more addresses than that. */
const FILE_SIZE = 10_000;
/** A change says when it began, and is seen when it is done. */
const OVERLAP_MS = 15 * 60 * 1000;
/** Whatever escaped is caught once a day. */
const WHOLE_MS = 24 * 60 * 60 * 1000;

/** What a visitor finds at an address: a document to read, somebody who shared one. */
const sources = {
  document: {
    table: documents,
    idOf: documents.id,
    isShown: sql`${isPublic} and ${documents.status} = ${documentStatus.converted}`,
  },
  user: { table: users, idOf: documents.user_id, isShown: sql`${users.doc_count} > 0` },
};
const kinds = Object.keys(sources) as SitemapKind[];

async function makeFile(ctx: Context, kind: SitemapKind, part: number): Promise<void> {
  const { table, isShown } = sources[kind];
  const last = part * FILE_SIZE;
  const rows = await ctx.db
    .select({ id: table.id, updated_at: table.updated_at })
    .from(table)
    .where(sql`${table.id} > ${last - FILE_SIZE} and ${table.id} <= ${last} and ${isShown}`)
    .orderBy(table.id);
  const body = rows
    .map(({ id, updated_at }) => `<url><loc>/${kind}/${id}</loc><lastmod>${updated_at}</lastmod></url>\n`)
    .join('');
  const latest = rows.map(({ updated_at }) => updated_at).toSorted();
  const values = { urls: rows.length, body, changed_at: latest.at(-1) ?? null };
  await ctx.db
    .insert(sitemapFiles)
    .values({ kind, part, ...values })
    .onConflictDoUpdate({ target: [sitemapFiles.kind, sitemapFiles.part], set: values });
}

/**
 * The files whose rows have changed; all there can be when nothing was taken in yet. Whether somebody
 * has shared something changes with the documents.
 */
async function partsToMake(ctx: Context, kind: SitemapKind, since: string | null) {
  const { table, idOf } = sources[kind];
  const { rows } = await ctx.db.execute<{ part: number }>(
    since === null
      ? sql`select part from generate_series(1,
          (select (coalesce(max(${table.id}), 0) + ${FILE_SIZE - 1}) / ${FILE_SIZE} from ${table})::int) part`
      : sql`select distinct ((${idOf} + ${FILE_SIZE - 1}) / ${FILE_SIZE})::int as part
          from ${documents} where ${documents.updated_at} >= ${since} order by part`,
  );
  return rows.map(({ part }) => part);
}

/** Files are made one by one; what was begun and not ended is done again by the next run. */
export const makeSitemap = defineJob<Context, { whole?: boolean }>({
  name: 'make-sitemap',
  input: z.object({ whole: z.optional(z.boolean()) }),
  async run(ctx, { whole = false }, { signal }) {
    const [known] = await ctx.db.select().from(sitemapProgress);
    const now = ctx.now();
    const isWhole = whole || !known || now.getTime() - Date.parse(known.full_build_at) >= WHOLE_MS;
    const since = isWhole ? null : new Date(Date.parse(known.covered_until) - OVERLAP_MS).toISOString();
    for (const kind of kinds)
      for (const part of await partsToMake(ctx, kind, since)) {
        signal.throwIfAborted();
        await makeFile(ctx, kind, part);
      }
    const covered_until = now.toISOString();
    const full_build_at = isWhole ? covered_until : known.full_build_at;
    await ctx.db
      .insert(sitemapProgress)
      .values({ covered_until, full_build_at })
      .onConflictDoUpdate({ target: sitemapProgress.id, set: { covered_until, full_build_at } });
  },
});

export async function rebuildSitemap(ctx: UserContext) {
  await inTransaction(ctx, async (ctx) => {
    await ctx.jobs.send(makeSitemap, { whole: true }, { db: ctx.db, key: 'whole' });
    await recordAudit(ctx, {
      action: '更新站点地图',
      target: '站点地图',
      after: { status: '已开始重新生成' },
    });
  });
  return {};
}
