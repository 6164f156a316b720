import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  ids,
  listInput,
  listResponse,
  nullableTime,
  requiredText,
  text,
  time,
} from '#platform/contract/shapes.ts';

const searchRecord = z.object({
  id: count,
  /** 0 for a visitor. */
  user_id: count,
  username: z.string(),
  ip: z.string(),
  user_agent: z.string(),
  keywords: z.string(),
  /** `total`: number of results; `page`: the requested result page. */
  total: count,
  page: count,
  /** Seconds. */
  spend_time: z.number(),
  created_at: time,
});
export type SearchRecord = z.infer<typeof searchRecord>;

/** All searches for the same query, ignoring case. */
const searchedQuery = z.object({
  keywords: z.string(),
  /** `count`: searches; `users`: distinct searchers. */
  count,
  users: count,
  /** Result count of the latest search. */
  total: count,
  searched_at: time,
});
export type SearchedQuery = z.infer<typeof searchedQuery>;

const synonym = z.object({
  id: count,
  /** A search for one of these words finds the others. */
  words: z.array(z.string()),
  enable: z.boolean(),
  created_at: time,
  updated_at: time,
});
export type Synonym = z.infer<typeof synonym>;

const synonymWords = z
  .array(requiredText(32, '请输入同义词'))
  .check(z.minLength(2, '请至少输入两个词'), z.maxLength(20, '一组最多 20 个词'));

export const searchAdminApi = {
  records: endpoint({
    method: 'GET',
    path: '/searchrecord/list',
    access: 'permission:SearchRecordAPI/ListSearchRecord',
    summary: '搜索记录',
    input: z.object({
      ...listInput,
      user_id: z.optional(z.array(count)),
      /** Only searches without results. */
      is_empty: z.optional(z.boolean()),
      created_at: z.optional(z.array(text(40, '时间')).check(z.maxLength(2, '时间范围不正确'))),
    }),
    output: listResponse('search_record', searchRecord),
  }),
  removeRecords: endpoint({
    method: 'DELETE',
    path: '/searchrecord',
    access: 'permission:SearchRecordAPI/DeleteSearchRecord',
    summary: '删除搜索记录',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  words: endpoint({
    method: 'GET',
    path: '/searchrecord/words',
    access: 'permission:SearchRecordAPI/ListSearchRecord',
    summary: '搜索词统计：is_empty 时只列没有结果的词，即读者要而这里没有的',
    input: z.object({
      page: listInput.page,
      size: listInput.size,
      wd: listInput.wd,
      is_empty: z.optional(z.boolean()),
      /** Length of the period that ends now. */
      days: z._default(z.int('天数不正确').check(z.gte(1, '天数过小'), z.lte(3650, '天数过大')), 30),
    }),
    output: listResponse('word', searchedQuery),
  }),
  synonyms: endpoint({
    method: 'GET',
    path: '/synonym/list',
    access: 'permission:SearchRecordAPI/ListSynonym',
    summary: '同义词列表',
    input: z.object(listInput),
    output: listResponse('synonym', synonym),
  }),
  createSynonym: endpoint({
    method: 'POST',
    path: '/synonym',
    access: 'permission:SearchRecordAPI/UpdateSynonym',
    summary: '新增一组同义词',
    input: z.object({ words: synonymWords, enable: z._default(z.boolean(), true) }),
    output: synonym,
    ignored: ['id', 'created_at', 'updated_at'],
  }),
  updateSynonym: endpoint({
    method: 'PUT',
    path: '/synonym',
    access: 'permission:SearchRecordAPI/UpdateSynonym',
    summary: '更新一组同义词；没有给出的字段不变',
    input: z.object({ id, words: z.optional(synonymWords), enable: z.optional(z.boolean()) }),
    output: emptyObject,
    ignored: ['created_at', 'updated_at'],
  }),
  removeSynonyms: endpoint({
    method: 'DELETE',
    path: '/synonym',
    access: 'permission:SearchRecordAPI/UpdateSynonym',
    summary: '删除同义词',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  index: endpoint({
    method: 'GET',
    path: '/search/index',
    access: 'permission:ConfigAPI/GetStats',
    summary: '搜索索引的状态和大小',
    input: emptyObject,
    output: z.object({
      engine: z.enum(['postgres', 'opensearch']),
      /** ok: everything is indexed; behind: some documents are queued; down: the engine does not answer. */
      state: z.enum(['ok', 'behind', 'rebuilding', 'down']),
      /** Text for the administrator; empty when everything is indexed. */
      message: z.string(),
      /** `documents`: indexed; `pending`: waiting for indexing. */
      documents: count,
      pending: count,
      /** In bytes: the index, and the text it was built from. */
      size: count,
      text_size: count,
      /** Time of the latest indexing. */
      indexed_at: nullableTime,
      /** Percent of a running rebuild; 100 when none is running. */
      progress: count,
    }),
  }),
  reindex: endpoint({
    method: 'PUT',
    path: '/document/index',
    access: 'permission:ConfigAPI/UpdateConfig',
    summary: '重建搜索索引；其间照常可以搜索',
    input: emptyObject,
    output: emptyObject,
  }),
};

export const synonymErrors = defineErrors('synonym', {
  notFound: [404, '同义词不存在'],
  empty: [400, '同义词应含文字或数字'],
  tooFew: [400, '请至少输入两个不同的词'],
});
