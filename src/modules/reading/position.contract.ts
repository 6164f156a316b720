import * as z from 'zod/mini';
import { documentRow } from '#modules/document/document.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, ids, listInput, listResponse, nullableTime, time } from '#platform/contract/shapes.ts';

export const MAX_PAGE_OFFSET = 10_000;

const { page, size, field } = listInput;
const positionFields = {
  page: count,
  /** Offset from the top of the page, in ten-thousandths of its height. */
  offset: count,
  /** Percent of the whole document. */
  progress: count,
};

const historyItem = z.object({ ...positionFields, read_at: time, document: documentRow });
export type HistoryItem = z.infer<typeof historyItem>;

export const positionApi = {
  get: endpoint({
    method: 'GET',
    path: '/document/position',
    access: 'user',
    summary: '上次读到的位置；没有读过时 page 为 0',
    input: z.object({ id }),
    output: z.object({ ...positionFields, read_at: nullableTime }),
  }),
  put: endpoint({
    method: 'PUT',
    path: '/document/position',
    access: 'user',
    summary: '记下读到的位置；以设备上较晚的一次为准',
    input: z.object({
      id,
      page: z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(1_000_000, '页码过大')),
      offset: z._default(z.int('位置不正确').check(z.gte(0, '位置不正确'), z.lte(MAX_PAGE_OFFSET, '位置不正确')), 0),
      /** Time on the device; defaults to now. */
      read_at: z.optional(time),
    }),
    output: emptyObject,
  }),
  history: endpoint({
    method: 'GET',
    path: '/document/history',
    access: 'user',
    summary: '阅读历史，最近读的在前；已不可见的文档不在其中',
    input: z.object({
      page,
      size,
      field,
      /** Leaves out finished documents. */
      unfinished: z._default(z.boolean(), false),
    }),
    output: listResponse('history', historyItem),
  }),
  deleteHistory: endpoint({
    method: 'DELETE',
    path: '/document/history',
    access: 'user',
    summary: '删除阅读记录：给出文档的 id，或以 all=true 全部清空',
    input: z.object({ id: z.optional(ids), all: z._default(z.boolean(), false) }),
    output: emptyObject,
  }),
};

export const positionErrors = defineErrors('reading', {
  notRead: [404, '没有这条阅读记录'],
  nothingNamed: [400, '请选择要删除的阅读记录'],
});
