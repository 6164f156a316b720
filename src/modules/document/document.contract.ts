import * as z from 'zod/mini';
import { publicUser } from '#modules/account/account.contract.ts';
import { inheritableWatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  ids,
  listInput,
  listResponse,
  nonNegativeInt,
  nullableTime,
  requiredText,
  text,
  time,
  zeroOrId,
} from '#platform/contract/shapes.ts';
import { documentConversion } from './conversion-state.contract.ts';
import { documentEncryption } from './encryption.contract.ts';
import { listFilters } from './list-filters.contract.ts';
import { readOnlyFields } from './read-only-fields.contract.ts';
import { collapseTwins, documentTwins, twinFilters } from './twins.contract.ts';

export const documentStatus = {
  waiting: 0,
  converting: 1,
  converted: 2,
  failed: 3,
  disabled: 4,
  reconverting: 5,
  underReview: 6,
  refused: 7,
} as const;
export const documentStatuses = {
  [documentStatus.waiting]: '待转换',
  [documentStatus.converting]: '转换中',
  [documentStatus.converted]: '已转换',
  [documentStatus.failed]: '转换失败',
  [documentStatus.disabled]: '已禁用',
  [documentStatus.reconverting]: '重新转换',
  [documentStatus.underReview]: '待审核',
  [documentStatus.refused]: '审核拒绝',
} as const;
export type DocumentStatus = keyof typeof documentStatuses;

export const documentVisibilities = { 0: '公开', 1: '登录可见', 2: '仅自己可见' } as const;
export type DocumentVisibility = keyof typeof documentVisibilities;

/** Keys of the filter `ext`; unknown keys filter nothing. */
export const documentTypes = {
  pdf: 'PDF',
  doc: 'DOC',
  ppt: 'PPT',
  xls: 'XLS',
  txt: 'TXT',
  other: '其他',
} as const;

export const MAX_PRICE = 1_000_000;
const MAX_ITEMS_PER_REQUEST = 100;

export const documentRow = z.object({
  id: count,
  uuid: z.string(),
  title: z.string(),
  keywords: z.string(),
  description: z.string(),
  user_id: count,
  username: z.string(),
  ext: z.string(),
  size: count,
  price: count,
  pages: count,
  /** Pages rendered so far. */
  ready_pages: count,
  /**
   * Number of pages that the caller may read, 0 for all. Owner and managers, who read all, get the stored limit, where
   * 0 means the site settings apply.
   */
  preview: count,
  width: count,
  height: count,
  language: z.string(),
  /** For moredoc clients: `/view/cover/{hash}` and `/view/page/{hash}/{n}.svg`. */
  attachment: z.object({ hash: z.string(), ext: z.string(), size: count }),
  /** Cover URL, valid for about an hour; empty if there is none. */
  cover: z.string(),
  status: count,
  visibility: count,
  /** Whether pages show who reads them. */
  watermark: inheritableWatermarkMode,
  /** Only for the owner and document managers; empty for others. */
  convert_error: z.string(),
  reject_reason: z.string(),
  encryption: documentEncryption,
  /** Parents before children, like `category`. */
  category_id: z.array(count),
  category: z.array(z.object({ id: count, title: z.string(), parent_id: count })),
  download_count: count,
  view_count: count,
  favorite_count: count,
  comment_count: count,
  score: count,
  score_count: count,
  recommend_at: nullableTime,
  created_at: time,
  updated_at: time,
  /** Only in lists with `collapse_twins`, for documents that have twins. */
  twins: z.optional(documentTwins),
});
export type Document = z.infer<typeof documentRow>;

const title = requiredText(255, '请输入文档名称').check(
  z.refine((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), '文档名称不能换行'),
);
const price = z.int('价格应为整数').check(z.gte(0, '价格不能小于 0'), z.lte(MAX_PRICE, `价格不能超过 ${MAX_PRICE}`));
const fields = {
  price,
  keywords: text(255, '关键字'),
  description: text(512, '摘要'),
  language: text(16, '语言'),
  visibility: z.int('可见范围不正确').check(z.gte(0, '可见范围不正确'), z.lte(2, '可见范围不正确')),
  preview: nonNegativeInt,
};
const categoryPath = z
  .array(id)
  .check(z.minLength(1, '请选择文档分类'), z.maxLength(MAX_ITEMS_PER_REQUEST, '分类过多'));

export const documentApi = {
  list: endpoint({
    method: 'GET',
    path: '/document/list',
    access: 'public',
    isSameForVisitors: true,
    summary:
      '文档列表；limit 代替分页且不计总数，wd 只对有权限者和自己的文档有效，has_twins 只对有权限者有效，collapse_twins 把几乎相同的文档合成一条',
    input: z.object({
      ...listInput,
      ...listFilters,
      id: z.optional(ids),
      limit: z.optional(z.int().check(z.gte(1, '条数过小'), z.lte(100, '最多 100 条'))),
      ...twinFilters,
    }),
    output: listResponse('document', documentRow),
  }),
  home: endpoint({
    method: 'GET',
    path: '/document/home',
    access: 'public',
    isSameForVisitors: true,
    summary: '各顶级分类最新的文档',
    input: z.object({
      limit: z._default(z.int().check(z.gte(1, '条数过小'), z.lte(100, '最多 100 条')), 5),
      field: listInput.field,
      collapse_twins: collapseTwins,
    }),
    output: z.object({
      document: z.array(
        z.object({
          category_id: count,
          category_name: z.string(),
          category_cover: z.string(),
          document: z.array(
            z.pick(documentRow, {
              id: true,
              uuid: true,
              title: true,
              ext: true,
              pages: true,
              size: true,
              price: true,
              attachment: true,
              cover: true,
              width: true,
              height: true,
              created_at: true,
              twins: true,
            }),
          ),
        }),
      ),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/document',
    access: 'public',
    isSameForVisitors: true,
    summary: '按 id 或 uuid 查询文档；with_author 附上作者并使浏览数加一',
    input: z.object({
      id: z.optional(zeroOrId),
      uuid: z.optional(text(32, '编号')),
      with_author: z._default(z.boolean(), false),
    }),
    output: z.extend(documentRow, { user: z.optional(publicUser) }),
  }),
  progress: endpoint({
    method: 'GET',
    path: '/document/progress',
    access: 'public',
    summary: '文档的转换进度',
    input: z.object({ id: z.array(id).check(z.minLength(1), z.maxLength(100, '最多 100 个')) }),
    output: z.object({
      document: z.array(
        z.object({
          id: count,
          status: count,
          pages: count,
          ready_pages: count,
          conversion_state: documentConversion,
          /** Why the document failed, was refused or waits. */
          reason: z.string(),
          encryption: documentEncryption,
        }),
      ),
    }),
  }),
  view: endpoint({
    method: 'POST',
    path: '/document/view',
    access: 'public',
    summary: '记一次浏览：同一读者几小时内只记一次，作者自己的不记',
    input: z.object({ id }),
    output: emptyObject,
  }),
  create: endpoint({
    method: 'POST',
    path: '/document',
    access: 'user',
    summary: '以已上传的文件新增文档：全部新增，或一个也不',
    input: z.object({
      category_id: categoryPath,
      document: z
        .array(
          z.strictObject({
            title,
            attachment_id: id,
            price: z._default(price, 0),
            keywords: z._default(fields.keywords, ''),
            description: z._default(fields.description, ''),
            language: z._default(fields.language, ''),
            visibility: z._default(fields.visibility, 0),
            preview: z._default(fields.preview, 0),
          }),
        )
        .check(z.minLength(1, '请先选择要上传的文档'), z.maxLength(MAX_ITEMS_PER_REQUEST, '一次最多 100 个')),
    }),
    output: z.object({
      document: z.array(
        z.extend(z.pick(documentRow, { id: true, uuid: true, title: true, status: true }), {
          /** Other documents of the same file. */
          same: z.array(z.object({ id: count, title: z.string() })),
        }),
      ),
    }),
    ignored: ['overwrite'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/document',
    access: 'user',
    accessToOthers: 'permission:DocumentAPI/UpdateDocument',
    summary: '修改自己的文档，有权限者可修改他人的；没有给出的字段不变，status 和 watermark 需要权限',
    input: z.object({
      id,
      ...z.partial(z.object(fields)).shape,
      title: z.optional(title),
      category_id: z.optional(categoryPath),
      watermark: z.optional(inheritableWatermarkMode),
      status: z.optional(z.int('状态不正确').check(z.gte(0, '状态不正确'), z.lte(7, '状态不正确'))),
    }),
    output: emptyObject,
    ignored: readOnlyFields,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/document',
    access: 'user',
    accessToOthers: 'permission:DocumentAPI/DeleteDocument',
    summary: '删除自己的文档到回收站，有权限者可删除他人的；全部删除，或一个也不',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const documentErrors = defineErrors('document', {
  notFound: [404, '文档不存在'],
  membersOnly: [401, '登录后可见'],
  forbidden: [403, '文档不存在或没有权限'],
  wrongFile: [400, '文档文件参数attachment_id不正确'],
  usedFile: [409, '文件已用于另一个文档'],
  missingFile: [409, '文件已不存在，请重新上传'],
  unknownCategory: [400, '文档分类不存在或已停用'],
  wrongStatus: [400, '不能直接设为该状态'],
  illegalFile: [409, '文件已被标记为非法文件'],
  reasonRequired: [400, '请填写原因'],
  restoreExpired: [409, '已超过回收站的保留期限，不能恢复'],
});
