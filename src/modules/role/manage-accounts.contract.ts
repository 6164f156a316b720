import * as z from 'zod/mini';
import { user } from '#modules/account/account.contract.ts';
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
  readOnlyKeys,
  requiredText,
  text,
} from '#platform/contract/shapes.ts';

/** An account in a list. Only the public fields are set for callers without the permission. */
const account = z.extend(user, {
  group_id: z.array(count),
  register_ip: z.string(),
  /** 0 正常, 1 禁用. */
  status: count,
  ban_reason: z.string(),
  /** End of the ban; null with status 1 means banned without end. */
  banned_until: nullableTime,
});
export type Account = z.infer<typeof account>;

const newPassword = (message: string) =>
  z.string(message).check(z.minLength(8, '密码至少 8 位'), z.maxLength(1024, '密码过长'));

export const accountApi = {
  list: endpoint({
    method: 'GET',
    path: '/user/list',
    access: 'public',
    summary: '用户列表；没有权限时只有公开资料，且不能按关键字筛选',
    input: z.object({
      ...listInput,
      id: z.optional(z.array(id)),
      group_id: z.optional(z.array(id)),
      status: z.optional(z.array(z.literal([0, 1]))),
      limit: z.optional(z.int().check(z.gte(1), z.lte(100))),
    }),
    output: listResponse('user', account),
  }),
  add: endpoint({
    method: 'POST',
    path: '/user',
    access: 'permission:UserAPI/AddUser',
    summary: '新增用户',
    input: z.object({
      username: requiredText(64, '请输入用户名'),
      password: newPassword('请输入用户密码'),
      email: z._default(z.union([z.literal(''), z.email('请输入正确的邮箱地址')]), ''),
      group_id: z.array(id).check(z.minLength(1, '请选择角色')),
    }),
    output: emptyObject,
    ignored: ['id'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/user',
    access: 'permission:UserAPI/SetUser',
    summary: '设置用户的角色，以及（非空时）密码',
    input: z.object({
      id,
      password: z.optional(z.union([z.literal(''), newPassword('请输入用户密码')])),
      group_id: z.array(id).check(z.minLength(1, '请选择角色')),
    }),
    output: emptyObject,
    ignored: readOnlyKeys(account, ['id', 'group_id']),
  }),
  ban: endpoint({
    method: 'PUT',
    path: '/user/ban',
    access: 'permission:UserAPI/BanUser',
    summary: '禁用账户（附原因和期限），或解除',
    input: z.object({
      id: ids,
      ban: z.boolean(),
      reason: z._default(text(255, '原因'), ''),
      /** RFC 3339; absent means without end. */
      until: z.optional(z.nullable(z.iso.datetime('期限不正确'))),
    }),
    output: emptyObject,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/user',
    access: 'permission:UserAPI/DeleteUser',
    summary: '删除用户；有文档的不能删除，管理员自己和 1 号用户也不能',
    input: z.object({ id: ids, password: requiredText(1024, '请输入您的登录密码') }),
    output: emptyObject,
  }),
  canUpload: endpoint({
    method: 'GET',
    path: '/user/caniuploaddocument',
    access: 'user',
    summary: '能否上传文档；不能时为 403',
    input: emptyObject,
    output: emptyObject,
  }),
};

export const accountErrors = defineErrors('account', {
  mayNotUpload: [403, '您没有上传文档的权限'],
  hasDocuments: [409, '用户存在文档，不允许删除'],
  rootStays: [403, '不能对 1 号用户这样做'],
  notYourself: [403, '不能对自己这样做'],
  lastAdministrator: [409, '至少要保留一位超级管理员'],
  beyondOwn: [403, '不能授予或修改拥有您所没有的权限的用户'],
  wrongPassword: [400, '密码错误'],
  reasonNeeded: [400, '请填写禁用原因'],
});
