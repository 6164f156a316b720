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
  requiredText,
  text,
  time,
  zeroOrId,
} from '#platform/contract/shapes.ts';

/** A page that administrators write, such as about, agreement or help. */
const article = z.object({
  id: count,
  /** Stable name in the URL, such as `about`. */
  identifier: z.string(),
  title: z.string(),
  author: z.string(),
  /** The author for clients written for moredoc: a name with id 0, not an account. */
  user: z.object({ id: count, username: z.string(), avatar: z.string() }),
  keywords: z.string(),
  description: z.string(),
  /** Sanitized HTML. */
  content: z.string(),
  view_count: count,
  created_at: time,
  updated_at: time,
});
export type Article = z.infer<typeof article>;
const articleSummary = z.omit(article, { content: true });
export type ArticleSummary = z.infer<typeof articleSummary>;

const fields = {
  title: requiredText(255, '请输入文章标题'),
  author: text(64, '作者'),
  keywords: text(255, '关键字'),
  description: text(1024, '描述'),
  content: text(900_000, '内容'),
};
const readOnly = ['user', 'view_count', 'created_at', 'updated_at'] as const;

export const articleApi = {
  list: endpoint({
    method: 'GET',
    path: '/article/list',
    access: 'public',
    summary: '单页列表（不含正文）',
    input: z.object(listInput),
    output: listResponse('article', articleSummary),
  }),
  get: endpoint({
    method: 'GET',
    path: '/article',
    access: 'public',
    summary: '按 id 或 identifier 查询单页；按 identifier 查询时浏览数加一',
    input: z.object({ id: z.optional(zeroOrId), identifier: z.optional(text(64, '标识')) }),
    output: article,
  }),
  create: endpoint({
    method: 'POST',
    path: '/article',
    access: 'permission:ArticleAPI/CreateArticle',
    summary: '创建单页',
    input: z.object({
      title: fields.title,
      author: z._default(fields.author, ''),
      keywords: z._default(fields.keywords, ''),
      description: z._default(fields.description, ''),
      content: z._default(fields.content, ''),
      identifier: z.string('请输入文章标识，建议为字母和数字组合').check(
        z.trim(),
        z.minLength(1, '请输入文章标识，建议为字母和数字组合'),
        z.maxLength(64, '标识不能超过 64 个字符'),
        // /article/{id} cannot distinguish a purely numeric identifier from an id.
        z.regex(/^(?!\d+$)[a-z0-9][a-z0-9_-]*$/i, '标识由字母、数字、- 和 _ 组成，不能只有数字'),
      ),
    }),
    output: article,
    ignored: ['id', ...readOnly],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/article',
    access: 'permission:ArticleAPI/UpdateArticle',
    summary: '更新单页（标识不可修改）；没有给出的字段不变',
    input: z.object({ ...z.partial(z.object(fields)).shape, id }),
    output: emptyObject,
    ignored: ['identifier', ...readOnly],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/article',
    access: 'permission:ArticleAPI/DeleteArticle',
    summary: '删除单页',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const articleErrors = defineErrors('article', {
  notFound: [404, '文章不存在'],
  exists: [409, '文章标识符已存在'],
  noKey: [400, '请提供文章 id 或标识'],
});
