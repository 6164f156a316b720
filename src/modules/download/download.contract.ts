import * as z from 'zod/mini';
import { documentRow, MAX_PRICE } from '#modules/document/document.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, id, listInput, listResponse, nullableTime, time } from '#platform/contract/shapes.ts';

const { page, size, field } = listInput;

/** Information for the caller before a download. */
const downloadOffer = z.object({
  price: count,
  /** Price for this caller: 0 for documents that they own or have bought, and for free ones. */
  cost: count,
  /** Credit of the caller; 0 for visitors. */
  balance: count,
  is_bought: z.boolean(),
  /** Expiry of the purchase; null without expiry or without a purchase. */
  bought_until: nullableTime,
  /** Validity in days of a new purchase; 0 without expiry. */
  holds_days: count,
  /** Remaining downloads of today; -1 without a limit. */
  left_today: count,
  may_download: z.boolean(),
  /** Error code and message of a download; empty when it is allowed. */
  code: z.string(),
  message: z.string(),
});

export const downloadApi = {
  get: endpoint({
    method: 'GET',
    path: '/document/download',
    access: 'public',
    summary: '下载文档的原文件，得到短时有效的链接；付费文档须给出与售价相同的 price，购买后在有效期内不再付费',
    input: z.object({
      id,
      price: z.optional(z.int('价格应为整数').check(z.gte(0, '价格不能小于 0'), z.lte(MAX_PRICE, '价格过高'))),
    }),
    output: z.object({ url: z.string() }),
  }),
  offer: endpoint({
    method: 'GET',
    path: '/document/purchase',
    access: 'public',
    summary: '下载前须知：售价、余额、是否已购买、今天还能下载的次数，以及能否下载',
    input: z.object({ id }),
    output: downloadOffer,
  }),
  list: endpoint({
    method: 'GET',
    path: '/document/download/list',
    access: 'user',
    summary: '我的下载，新的在前；已不可见的文档不在其中',
    input: z.object({ page, size, field }),
    output: listResponse(
      'download',
      z.object({
        id: count,
        document_id: count,
        /** Credit paid for this download. */
        price: count,
        is_pay: z.boolean(),
        created_at: time,
        document: z.pick(documentRow, {
          id: true,
          uuid: true,
          title: true,
          ext: true,
          size: true,
          price: true,
          pages: true,
          cover: true,
          width: true,
          height: true,
          status: true,
          user_id: true,
          username: true,
        }),
      }),
    ),
  }),
};
export type DownloadOffer = z.infer<typeof downloadOffer>;

export const downloadErrors = defineErrors('download', {
  loginRequired: [401, '请先登录再下载'],
  paidNeedsLogin: [401, '付费文档，请先登录再下载'],
  forbidden: [403, '您的账户已被禁止下载文档'],
  addressLimit: [403, '您所在IP今日下载次数已达上限'],
  userLimit: [403, '您的账户今日下载次数已达上限'],
  insufficient: [403, '余额不足，无法下载'],
  notReady: [409, '文档还没有转换好，暂时不能下载'],
  priceChanged: [409, '文档的售价已变化，请确认后再下载'],
  fileMissing: [404, '附件不存在'],
  linkExpired: [403, '下载链接已失效'],
});
