import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { arch, availableParallelism, freemem, loadavg, release, totalmem, type } from 'node:os';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { users } from '#modules/account/account.table.ts';
import { articles } from '#modules/article/article.table.ts';
import { banners } from '#modules/banner/banner.table.ts';
import { categories } from '#modules/category/category.table.ts';
import { comments } from '#modules/comment/comment.table.ts';
import { countUnfinishedConversions } from '#modules/conversion/list-queue.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { type DocumentStatus, documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { downloads } from '#modules/download/download.table.ts';
import { friendLinks } from '#modules/friend-link/friend-link.table.ts';
import { reports } from '#modules/report/report.table.ts';
import { cacheFigures } from '#platform/server/cache/cache-figures.ts';
import { type Context, hasPermission, type UserContext } from '#platform/server/context.ts';
import type { Db } from '#platform/server/db/db.ts';
import { countOrEstimate, countRows } from '#platform/server/db/list-query.ts';
import { VERSION } from '#platform/server/version.ts';
import type { DeviceInfo, PendingWorkKind, Stats, SystemInfo } from './dashboard.contract.ts';

const countDocumentsInStatus = ({ db }: Context, status: DocumentStatus) =>
  countOrEstimate(db, documents, and(eq(documents.status, status), isNull(documents.deleted_at)));

const pendingCounters: Record<PendingWorkKind, { permission: string; count: (ctx: Context) => Promise<number> }> = {
  review: {
    permission: 'DocumentAPI/ListDocument',
    count: (ctx) => countDocumentsInStatus(ctx, documentStatus.underReview),
  },
  report: {
    permission: 'ReportAPI/ListReport',
    count: ({ db }) => countOrEstimate(db, reports, eq(reports.status, false)),
  },
  comment: {
    permission: 'CommentAPI/ListComment',
    count: ({ db }) => countOrEstimate(db, comments, and(eq(comments.status, 0), isNull(comments.deleted_at))),
  },
  failed: {
    permission: 'DocumentAPI/ListDocument',
    count: (ctx) => countDocumentsInStatus(ctx, documentStatus.failed),
  },
};

/** Not cached, because administrators expect to see the effect of their work. */
const countPending = (ctx: Context) =>
  Promise.all(
    (Object.keys(pendingCounters) as PendingWorkKind[])
      .filter((name) => hasPermission(ctx, pendingCounters[name].permission))
      .map(async (name) => ({ name, total: await pendingCounters[name].count(ctx) })),
  );

const MAX_EXACT_COUNT = 10_000;

/** Exact up to MAX_EXACT_COUNT, an estimate above it. */
async function countApproximately(db: Db, table: PgTable, where?: SQL): Promise<number> {
  const total = await countOrEstimate(db, table, where, MAX_EXACT_COUNT);
  return total <= MAX_EXACT_COUNT ? total : countOrEstimate(db, table);
}

async function readStats({ db }: Context): Promise<Stats> {
  const [document, user, comment, download, category, report, article, banner, friendlink] = await Promise.all([
    countRows(db, documents, isNull(documents.deleted_at)),
    countRows(db, users),
    countApproximately(db, comments, isNull(comments.deleted_at)),
    countApproximately(db, downloads),
    ...[categories, reports, articles, banners, friendLinks].map((table) => countRows(db, table)),
  ] as Promise<number>[]);
  return {
    document,
    user,
    comment,
    download,
    category,
    report,
    article,
    banner,
    friendlink,
  } as Stats;
}

const systemInfo = ({ config }: Context): SystemInfo => ({
  version: VERSION,
  node: process.version,
  os: `${type()} ${release()} ${arch()}`,
  mode: config.mode,
  database: config.databaseUrl ? '外部 PostgreSQL' : '内置 PostgreSQL',
  storage: config.storageUrl ? 'S3' : '本地文件夹',
  search: config.searchUrl ? 'OpenSearch' : 'PostgreSQL',
  uptime: Math.round(process.uptime()),
});

async function readDeviceInfo({ db, config }: Context): Promise<DeviceInfo> {
  const { blocks, bavail, bsize } = await statfs(existsSync(config.dataDir) ? config.dataDir : '/');
  const { rows } = await db.execute<{ database_size: string; file_size: string }>(
    sql`select pg_database_size(current_database()) as database_size,
      (select coalesce(sum(size), 0) from ${renditions}) as file_size`,
  );
  return {
    cpu_count: availableParallelism(),
    load: loadavg()[0] ?? 0,
    memory_total: totalmem(),
    memory_free: freemem(),
    disk_total: blocks * bsize,
    disk_free: bavail * bsize,
    database_size: Number(rows[0]?.database_size ?? 0),
    file_size: Number(rows[0]?.file_size ?? 0),
  };
}

/** Data of the dashboard except the trend. Parts that the caller may not see are empty or null. */
export async function getOverview(ctx: UserContext) {
  const maySeeStats = hasPermission(ctx, 'ConfigAPI/GetStats');
  const [pendingTotals, stats, queue, device] = await Promise.all([
    countPending(ctx),
    maySeeStats ? cacheFigures(ctx, 'stats', () => readStats(ctx)) : null,
    hasPermission(ctx, 'DocumentAPI/ListDocument') ? countUnfinishedConversions(ctx) : null,
    hasPermission(ctx, 'ConfigAPI/GetDeviceInfo') ? cacheFigures(ctx, 'device', () => readDeviceInfo(ctx)) : null,
  ]);
  return {
    pending: pendingTotals,
    stats,
    queue: queue && {
      waiting: queue.waiting ?? 0,
      running: (queue.converting ?? 0) + (queue.readable ?? 0),
      failed: queue.failed ?? 0,
    },
    system: maySeeStats ? systemInfo(ctx) : null,
    device,
  };
}
