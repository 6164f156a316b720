import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, id, nullableTime } from '#platform/contract/shapes.ts';

/** A user with the number of documents that they published in the last seven days. */
const sharer = z.object({
  id,
  username: z.string(),
  avatar: z.string(),
  signature: z.string(),
  doc_count: count,
});
export type Sharer = z.infer<typeof sharer>;

const siteStats = z.object({
  /** Includes the virtual users of the settings. 0, like document_count, when the site hides it. */
  user_count: count,
  document_count: count,
  article_count: count,
  version: z.string(),
  /** The following fields require the permission ConfigAPI/GetStats. */
  os: z.optional(z.string()),
  /** Hash and time of the build; empty and null without a build. */
  hash: z.optional(z.string()),
  build_at: z.optional(nullableTime),
  category_count: z.optional(count),
  banner_count: z.optional(count),
  friendlink_count: z.optional(count),
  comment_count: z.optional(count),
  report_count: z.optional(count),
});

export const statisticsApi = {
  stats: endpoint({
    method: 'GET',
    path: '/stats',
    access: 'public',
    summary: '站点统计，至多迟半分钟；有权限时另有系统信息',
    input: emptyObject,
    output: siteStats,
  }),
  sharers: endpoint({
    method: 'GET',
    path: '/stats/sharer',
    access: 'public',
    summary: '本周分享达人：七天内公开文档最多的五人',
    input: emptyObject,
    output: z.object({ user: z.array(sharer) }),
  }),
};
