import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  id,
  ids,
  listInput,
  listOf,
  maybeTime,
  nothing,
  required,
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
  /** How many documents were found, and which page of them was looked at. */
  total: count,
  page: count,
  /** Seconds. */
  spend_time: z.number(),
  created_at: time,
});
export type SearchRecord = z.infer<typeof searchRecord>;

/** What was searched for, all who searched for it together. */
const searchedWord = z.object({
  keywords: z.string(),
  /** How often, and by how many different people. */
  count,
  users: count,
  /** What the last search found. */
  total: count,
  searched_at: time,
});
export type SearchedWord = z.infer<typeof searchedWord>;

const synonym = z.object({
  id: count,
  /** Words that mean the same: whoever searches for one finds all. */
  words: z.array(z.string()),
  enable: z.boolean(),
  created_at: time,
  updated_at: time,
});
export type Synonym = z.infer<typeof synonym>;

/** Words, each with something to search for, none twice. */
const synonymWords = z
  .array(required(32, '请输入同义词'))
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
      /** Only searches that found nothing. */
      is_empty: z.optional(z.boolean()),
      created_at: z.optional(z.array(text(40, '时间')).check(z.maxLength(2, '时间范围不正确'))),
    }),
    output: listOf('search_record', searchRecord),
  }),
  removeRecords: endpoint({
    method: 'DELETE',
    path: '/searchrecord',
    access: 'permission:SearchRecordAPI/DeleteSearchRecord',
    summary: '删除搜索记录',
    input: z.object({ id: ids }),
    output: nothing,
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
      /** Of the last so many days. */
      days: z._default(z.int('天数不正确').check(z.gte(1, '天数过小'), z.lte(3650, '天数过大')), 30),
    }),
    output: listOf('word', searchedWord),
  }),
  synonyms: endpoint({
    method: 'GET',
    path: '/synonym/list',
    access: 'permission:SearchRecordAPI/ListSynonym',
    summary: '同义词列表',
    input: z.object(listInput),
    output: listOf('synonym', synonym),
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
    output: nothing,
    ignored: ['created_at', 'updated_at'],
  }),
  removeSynonyms: endpoint({
    method: 'DELETE',
    path: '/synonym',
    access: 'permission:SearchRecordAPI/UpdateSynonym',
    summary: '删除同义词',
    input: z.object({ id: ids }),
    output: nothing,
  }),
  index: endpoint({
    method: 'GET',
    path: '/search/index',
    access: 'permission:ConfigAPI/GetStats',
    summary: '搜索索引的状态和大小',
    input: nothing,
    output: z.object({
      engine: z.enum(['postgres', 'opensearch']),
      /** ok: all is searchable; behind: some documents wait; down: the engine does not answer. */
      state: z.enum(['ok', 'behind', 'rebuilding', 'down']),
      /** A sentence for people; empty when all is well. */
      message: z.string(),
      /** Documents that can be found, and those that wait to be taken up. */
      documents: count,
      pending: count,
      /** Bytes of the index, and of the text it was made from. */
      size: count,
      text_size: count,
      /** When the last document was taken up. */
      indexed_at: maybeTime,
      /** Of a rebuilding under way, in percent; 100 when none is. */
      progress: count,
    }),
  }),
  reindex: endpoint({
    method: 'PUT',
    path: '/document/index',
    access: 'permission:ConfigAPI/UpdateConfig',
    summary: '重建搜索索引；其间照常可以搜索',
    input: nothing,
    output: nothing,
  }),
};

export const synonymErrors = defineErrors('synonym', {
  notFound: [404, '同义词不存在'],
  empty: [400, '同义词应含文字或数字'],
  tooFew: [400, '请至少输入两个不同的词'],
});
