import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, id, ids, text, time } from '#platform/contract/shapes.ts';

/** Decisions of a reviewer. 0 and 2 both publish the document in the state of its file. */
export const reviewDecisions = {
  0: '审核通过',
  2: '启用',
  4: '禁用',
  6: '变为待审',
  7: '审核拒绝',
} as const;
export type ReviewDecision = keyof typeof reviewDecisions;

export const recommendTypes = { 0: '取消推荐', 1: '推荐', 2: '重新推荐' } as const;
export type RecommendType = keyof typeof recommendTypes;

/** A file in the conversion queue and what uses it. */
const queueItem = z.object({
  id: count,
  format: z.string(),
  size: count,
  state: z.string(),
  /** Why the conversion failed or waits. */
  reason: z.string(),
  attempts: count,
  pages: count,
  ready_pages: count,
  updated_at: time,
  document: z.array(z.object({ id: count, title: z.string(), username: z.string() })),
  /** The uploaded file, if no document uses it. */
  upload: z.nullable(z.object({ name: z.string(), username: z.string() })),
});
export type QueueItem = z.infer<typeof queueItem>;

/** Bulk operations apply to all given documents or to none. */
export const manageDocumentApi = {
  queue: endpoint({
    method: 'GET',
    path: '/document/queue',
    access: 'permission:DocumentAPI/ListDocument',
    summary: '转换队列：正在转换、等待和失败的文件，以及每分钟完成的数量',
    input: emptyObject,
    output: z.object({
      totals: z.object({ waiting: count, converting: count, readable: count, failed: count }),
      running: z.array(queueItem),
      waiting: z.array(queueItem),
      failed: z.array(queueItem),
      /** Average of the last ten minutes. */
      per_minute: z.number(),
    }),
  }),
  reviewDownload: endpoint({
    method: 'GET',
    path: '/document/download/bereviewed',
    access: 'permission:DocumentAPI/DownloadDocumentToBeReviewed',
    summary: '待审核、被禁用或被拒绝的文档的原文件，链接短时有效',
    input: z.object({ id }),
    output: z.object({ url: z.string() }),
  }),
  recommend: endpoint({
    method: 'PUT',
    path: '/document/recommend',
    access: 'permission:DocumentAPI/SetDocumentRecommend',
    summary: '推荐文档：0 取消，1 推荐未推荐的，2 重新推荐',
    input: z.object({ id: ids, type: z.literal([0, 1, 2], '推荐方式不正确') }),
    output: emptyObject,
  }),
  check: endpoint({
    method: 'PUT',
    path: '/document/check',
    access: 'permission:DocumentAPI/CheckDocument',
    summary: '审核文档：0 通过，7 拒绝（需要原因），6 变为待审，4 禁用，2 启用',
    input: z.object({
      id: ids,
      status: z.literal([0, 2, 4, 6, 7], '审核结果不正确'),
      reason: z._default(text(255, '原因').check(z.trim()), ''),
    }),
    output: emptyObject,
  }),
  reconvert: endpoint({
    method: 'PUT',
    path: '/document/reconvert',
    access: 'permission:DocumentAPI/SetDocumentReconvert',
    summary: '重新转换给出的文档；没有给出时为全部转换失败的文档',
    input: z.object({ id: z.optional(ids) }),
    output: emptyObject,
  }),
  categorize: endpoint({
    method: 'PUT',
    path: '/document/category',
    access: 'permission:DocumentAPI/SetDocumentsCategory',
    summary: '批量修改文档分类',
    input: z.object({
      document_id: ids,
      category_id: z.array(id).check(z.minLength(1, '请选择文档分类'), z.maxLength(100)),
    }),
    output: emptyObject,
  }),
};
