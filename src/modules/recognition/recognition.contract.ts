import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, id, ids, time } from '#platform/contract/shapes.ts';

/** A task without scanned pages is done immediately. */
export type RecognitionState = 'waiting' | 'done' | 'failed';

/** A document file with scanned pages, and the documents that use it. */
const queueItem = z.object({
  id: count,
  format: z.string(),
  /** Number of scanned pages; 0 until they are counted. */
  pages: count,
  recognized: count,
  /** Why the recognition failed or waits. */
  reason: z.string(),
  /** A worker recognizes its pages now. */
  is_running: z.boolean(),
  updated_at: time,
  document: z.array(z.object({ id: count, title: z.string(), username: z.string() })),
});
export type RecognitionQueueItem = z.infer<typeof queueItem>;

export const recognitionApi = {
  progress: endpoint({
    method: 'GET',
    path: '/document/recognition',
    access: 'public',
    summary: '扫描页文字识别的进度；没有扫描页时 pages 为 0',
    input: z.object({ id }),
    output: z.object({
      pages: count,
      recognized: count,
      /** More pages will be recognized. */
      pending: z.boolean(),
    }),
  }),
  queue: endpoint({
    method: 'GET',
    path: '/recognition/queue',
    access: 'permission:DocumentAPI/ListDocument',
    summary: '文字识别队列：等待和失败的文件，今天识别的页数',
    input: emptyObject,
    output: z.object({
      is_enabled: z.boolean(),
      /** Why nothing is recognized although files wait; empty otherwise. */
      obstacle: z.string(),
      pages_today: count,
      /** 0: unlimited. */
      pages_per_day: count,
      totals: z.object({ waiting: count, failed: count, pages_left: count }),
      waiting: z.array(queueItem),
      failed: z.array(queueItem),
    }),
  }),
  retry: endpoint({
    method: 'PUT',
    path: '/recognition/retry',
    access: 'permission:DocumentAPI/SetDocumentReconvert',
    summary: '重新识别给出的文件；没有给出时为全部识别失败的文件',
    input: z.object({ id: z.optional(ids) }),
    output: emptyObject,
  }),
};
