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

/** Range of ids per file, and therefore the maximum number of URLs in it. */
const IDS_PER_FILE = 10_000;
/** updated_at is the start of a transaction, whose changes become visible later, when it commits. */
const OVERLAP_MS = 15 * 60 * 1000;
/** A daily full build corrects changes that incremental builds missed. */
const FULL_BUILD_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Public pages: readable documents, and users who published at least one document. */
const sources = {
  document: {
    table: documents,
    idOf: documents.id,
    isListed: sql`${isPublic} and ${documents.status} = ${documentStatus.converted}`,
  },
  user: { table: users, idOf: documents.user_id, isListed: sql`${users.doc_count} > 0` },
};
const kinds = Object.keys(sources) as SitemapKind[];

async function generateFile(ctx: Context, kind: SitemapKind, part: number): Promise<void> {
  const { table, isListed } = sources[kind];
  const lastId = part * IDS_PER_FILE;
  const rows = await ctx.db
    .select({ id: table.id, updated_at: table.updated_at })
    .from(table)
    .where(sql`${table.id} > ${lastId - IDS_PER_FILE} and ${table.id} <= ${lastId} and ${isListed}`)
    .orderBy(table.id);
  const body = rows
    .map(({ id, updated_at }) => `<url><loc>/${kind}/${id}</loc><lastmod>${updated_at}</lastmod></url>\n`)
    .join('');
  const updateTimes = rows.map(({ updated_at }) => updated_at).toSorted();
  const values = { urls: rows.length, body, changed_at: updateTimes.at(-1) ?? null };
  await ctx.db
    .insert(sitemapFiles)
    .values({ kind, part, ...values })
    .onConflictDoUpdate({ target: [sitemapFiles.kind, sitemapFiles.part], set: values });
}

/**
 * Parts whose rows changed since a time; all parts when `since` is null. User pages are listed by their number of
 * documents, so changed documents also determine the user parts.
 */
async function partsToGenerate(ctx: Context, kind: SitemapKind, since: string | null) {
  const { table, idOf } = sources[kind];
  const { rows } = await ctx.db.execute<{ part: number }>(
    since === null
      ? sql`select part from generate_series(1,
          (select (coalesce(max(${table.id}), 0) + ${IDS_PER_FILE - 1}) / ${IDS_PER_FILE} from ${table})::int) part`
      : sql`select distinct ((${idOf} + ${IDS_PER_FILE - 1}) / ${IDS_PER_FILE})::int as part
          from ${documents} where ${documents.updated_at} >= ${since} order by part`,
  );
  return rows.map(({ part }) => part);
}

/** Generates one file after another. The next run repeats an aborted run from its start. */
export const generateSitemap = defineJob<Context, { isFullBuildRequested?: boolean }>({
  name: 'generate-sitemap',
  input: z.object({ isFullBuildRequested: z.optional(z.boolean()) }),
  async run(ctx, { isFullBuildRequested = false }, { signal }) {
    const [progress] = await ctx.db.select().from(sitemapProgress);
    const now = ctx.now();
    const isFullBuild =
      isFullBuildRequested || !progress || now.getTime() - Date.parse(progress.full_build_at) >= FULL_BUILD_INTERVAL_MS;
    const since = isFullBuild ? null : new Date(Date.parse(progress.covered_until) - OVERLAP_MS).toISOString();
    for (const kind of kinds)
      for (const part of await partsToGenerate(ctx, kind, since)) {
        signal.throwIfAborted();
        await generateFile(ctx, kind, part);
      }
    const covered_until = now.toISOString();
    const full_build_at = isFullBuild ? covered_until : progress.full_build_at;
    await ctx.db
      .insert(sitemapProgress)
      .values({ covered_until, full_build_at })
      .onConflictDoUpdate({ target: sitemapProgress.id, set: { covered_until, full_build_at } });
  },
});

export async function rebuildSitemap(ctx: UserContext) {
  await inTransaction(ctx, async (ctx) => {
    await ctx.jobs.send(generateSitemap, { isFullBuildRequested: true }, { db: ctx.db, key: 'full-build' });
    await recordAudit(ctx, {
      action: '更新站点地图',
      target: '站点地图',
      after: { status: '已开始重新生成' },
    });
  });
  return {};
}
