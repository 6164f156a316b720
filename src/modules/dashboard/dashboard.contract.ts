import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, time } from '#platform/contract/shapes.ts';

const checkState = z.enum(['ok', 'hint', 'bad']);
export type CheckState = z.infer<typeof checkState>;

/** A dependency of the site: a program, a service or a setting. */
const environmentItem = z.object({
  name: z.string(),
  /** `hint` is a recommendation, `bad` requires an action of the operator. */
  state: checkState,
  detail: z.string(),
  /** Features that do not work without it. */
  description: z.string(),
  /** Command or setting that fixes it. */
  cmd: z.string(),
  is_installed: z.boolean(),
  is_required: z.boolean(),
  error: z.string(),
  checked_at: time,
});
export type EnvironmentItem = z.infer<typeof environmentItem>;

/** Daily counts; days begin at midnight in the time zone of the site. */
export const trendNames = {
  user: '新用户',
  document: '新文档',
  download: '下载',
  comment: '评论',
  search: '搜索',
  sign_in: '签到',
} as const;
export type TrendName = keyof typeof trendNames;

/** Work that waits for an administrator. */
export const pendingWorkLabels = {
  review: '待审核的文档',
  report: '未处理的举报',
  comment: '待审核的评论',
  failed: '转换失败的文档',
} as const;
export type PendingWorkKind = keyof typeof pendingWorkLabels;

const enumOfKeys = <N extends string>(table: Record<N, string>) => z.enum(Object.keys(table) as [N, ...N[]]);

/** Sizes are in bytes, times in seconds. */
const systemInfo = z.object({
  version: z.string(),
  node: z.string(),
  os: z.string(),
  mode: z.string(),
  database: z.string(),
  storage: z.string(),
  search: z.string(),
  uptime: count,
});
export type SystemInfo = z.infer<typeof systemInfo>;

const deviceInfo = z.object({
  cpu_count: count,
  /** Load average of the last minute. */
  load: z.number(),
  memory_total: count,
  memory_free: count,
  /** The disk that contains the data folder. */
  disk_total: count,
  disk_free: count,
  database_size: count,
  /** Total size of the original files; equal files are counted once. */
  file_size: count,
});
export type DeviceInfo = z.infer<typeof deviceInfo>;

const stats = z.object({
  document: count,
  user: count,
  comment: count,
  download: count,
  category: count,
  report: count,
  article: count,
  banner: count,
  friendlink: count,
});
export type Stats = z.infer<typeof stats>;

export const dashboardApi = {
  overview: endpoint({
    method: 'GET',
    path: '/dashboard/overview',
    access: 'user',
    summary: '面板：待办、统计、转换队列与系统信息；没有权限的部分为空',
    input: emptyObject,
    output: z.object({
      pending: z.array(z.object({ name: enumOfKeys(pendingWorkLabels), total: count })),
      stats: z.nullable(stats),
      queue: z.nullable(z.object({ waiting: count, running: count, failed: count })),
      system: z.nullable(systemInfo),
      device: z.nullable(deviceInfo),
    }),
  }),
  trend: endpoint({
    method: 'GET',
    path: '/dashboard/trend',
    access: 'permission:ConfigAPI/GetStats',
    summary: '最近三十天每天的数量，至多迟一分钟',
    input: emptyObject,
    output: z.object({
      /** yyyy-MM-dd, in ascending order up to today. */
      days: z.array(z.string()),
      series: z.array(z.object({ name: enumOfKeys(trendNames), counts: z.array(count) })),
    }),
  }),
  envs: endpoint({
    method: 'GET',
    path: '/envs',
    access: 'user',
    summary: '运行环境检测；没有权限时列表为空',
    input: emptyObject,
    output: z.object({ envs: z.array(environmentItem) }),
  }),
};
