import * as z from 'zod/mini';

/** Largest value of a PostgreSQL integer column. */
const MAX_INT = 2_147_483_647;

export const emptyObject = z.object({});
export const id = z.int('编号不正确').check(z.gte(1, '编号不正确'));
/** An id to look up or filter by; clients written for moredoc send 0 for none. */
export const zeroOrId = z.int('编号不正确').check(z.gte(0, '编号不正确'));
export const ids = z.array(id).check(z.minLength(1, '请选择要操作的记录'), z.maxLength(1000));
export const count = z.int();
/** Number that users enter: sort order, price, limit. */
export const nonNegativeInt = z.int('请输入整数').check(z.gte(0, '不能小于 0'), z.lte(MAX_INT, '数值过大'));
export const text = (max: number, label = '内容') =>
  z.string(`${label}不正确`).check(z.maxLength(max, `${label}不能超过 ${max} 个字符`));
/** Text that must not be blank; `message` is the error for a blank text. */
export const requiredText = (max: number, message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), z.maxLength(max, `不能超过 ${max} 个字符`));
/** RFC 3339 in UTC. */
export const time = z.iso.datetime();
export const nullableTime = z.nullable(z.iso.datetime());

const field = z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(64)));
const wd = z.optional(z.string().check(z.maxLength(200, '关键字过长')));
const order = z.optional(z.string().check(z.maxLength(200)));
const page = z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(1_000_000, '页码过大'));
const size = z.int('每页条数不正确').check(z.gte(1, '每页条数过小'), z.lte(100, '每页最多 100 条'));

/** Query of a paged list. `field` selects columns; `order` and `sort` are synonyms. */
export const listInput = {
  page: z._default(page, 1),
  size: z._default(size, 10),
  wd,
  field,
  order,
  sort: order,
};
/** Query of a short list that is returned completely unless a page is requested. */
export const optionallyPagedListInput = {
  page: z.optional(page),
  size: z.optional(size),
  wd,
  field,
  order,
  sort: order,
};

/** Keys of a row that an update ignores: all but the writable ones. */
export const readOnlyKeys = (row: z.ZodMiniObject, writableKeys: readonly string[]): string[] =>
  Object.keys(row._zod.def.shape).filter((key) => !writableKeys.includes(key));

/** `{ total, <singular name>: [...] }`, the response of every list. */
export const listResponse = <K extends string, T extends z.ZodMiniType>(name: K, item: T) =>
  z.object({ total: count, [name]: z.array(item) } as { total: typeof count } & Record<K, z.ZodMiniArray<T>>);
