import * as z from 'zod/mini';
import { permission } from '#modules/account/permission.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  ids,
  listResponse,
  nonNegativeInt,
  optionallyPagedListInput,
  requiredText,
  text,
  time,
} from '#platform/contract/shapes.ts';

/** The API of moredoc calls a role a group. */
const role = z.object({
  id: count,
  title: z.string(),
  color: z.string(),
  description: z.string(),
  /** Roles with a larger value are listed first. */
  sort: count,
  is_default: z.boolean(),
  is_display: z.boolean(),
  user_count: count,
  enable_upload: z.boolean(),
  enable_document_review: z.boolean(),
  enable_comment: z.boolean(),
  enable_comment_approval: z.boolean(),
  enable_download: z.boolean(),
  /** Pages of a limited document that its members may read at most; 0 means the limit of the site. */
  max_preview: count,
  created_at: time,
  updated_at: time,
});
export type Role = z.infer<typeof role>;

const fields = {
  title: requiredText(64, '请输入名称'),
  color: text(20, '颜色'),
  description: text(255, '描述'),
  sort: nonNegativeInt,
  is_default: z.boolean(),
  is_display: z.boolean(),
  enable_upload: z.boolean(),
  enable_document_review: z.boolean(),
  enable_comment: z.boolean(),
  enable_comment_approval: z.boolean(),
  enable_download: z.boolean(),
  max_preview: nonNegativeInt,
};
/** Defaults apply only to a new role; an update keeps fields that are not sent. */
const fieldsWithDefaults = {
  title: fields.title,
  color: z._default(fields.color, ''),
  description: z._default(fields.description, ''),
  sort: z._default(fields.sort, 0),
  is_default: z._default(fields.is_default, false),
  is_display: z._default(fields.is_display, false),
  enable_upload: z._default(fields.enable_upload, false),
  enable_document_review: z._default(fields.enable_document_review, false),
  enable_comment: z._default(fields.enable_comment, true),
  enable_comment_approval: z._default(fields.enable_comment_approval, false),
  enable_download: z._default(fields.enable_download, true),
  max_preview: z._default(fields.max_preview, 0),
};
const readOnlyFields = ['user_count', 'created_at', 'updated_at'] as const;

export const roleApi = {
  list: endpoint({
    method: 'GET',
    path: '/group/list',
    access: 'public',
    summary: '角色列表',
    input: z.object(optionallyPagedListInput),
    output: listResponse('group', role),
  }),
  get: endpoint({
    method: 'GET',
    path: '/group',
    access: 'public',
    summary: '根据ID查询角色',
    input: z.object({ id }),
    output: role,
  }),
  create: endpoint({
    method: 'POST',
    path: '/group',
    access: 'permission:GroupAPI/CreateGroup',
    summary: '创建角色',
    input: z.object(fieldsWithDefaults),
    output: role,
    ignored: ['id', ...readOnlyFields],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/group',
    access: 'permission:GroupAPI/UpdateGroup',
    summary: '更新角色；没有给出的字段不变',
    input: z.object({ ...z.partial(z.object(fields)).shape, id }),
    output: emptyObject,
    ignored: readOnlyFields,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/group',
    access: 'permission:GroupAPI/DeleteGroup',
    summary: '删除角色；默认角色和还有用户的角色不能删除',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/group/permission',
    access: 'permission:GroupAPI/GetGroupPermission',
    summary: '角色的授权',
    input: z.object({ id }),
    output: z.object({ permission_id: z.array(count) }),
  }),
  grant: endpoint({
    method: 'PUT',
    path: '/group/permission',
    access: 'permission:GroupAPI/UpdateGroupPermission',
    summary: '给角色授权：以给出的权限全部替换',
    input: z.object({
      group_id: id,
      /** Clients also send the ids of permission groups; values below 1 are ignored. */
      permission_id: z.array(z.int()).check(z.maxLength(1000)),
    }),
    output: emptyObject,
  }),
};

export const permissionApi = {
  list: endpoint({
    method: 'GET',
    path: '/permission/list',
    access: 'permission:PermissionAPI/ListPermission',
    summary: '权限列表',
    input: z.object({
      ...optionallyPagedListInput,
      method: z.optional(z.array(text(16))),
      path: z.optional(text(128)),
    }),
    output: listResponse('permission', permission),
  }),
  get: endpoint({
    method: 'GET',
    path: '/permission',
    access: 'permission:PermissionAPI/GetPermission',
    summary: '根据ID查询权限',
    input: z.object({ id }),
    output: permission,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/permission',
    access: 'permission:PermissionAPI/UpdatePermission',
    summary: '修改权限的名称和描述',
    input: z.object({
      id,
      title: requiredText(255, '请输入权限名称'),
      description: z._default(text(255, '描述'), ''),
    }),
    output: emptyObject,
    ignored: ['method', 'path', 'created_at', 'updated_at'],
  }),
};

export const roleErrors = defineErrors('group', {
  notFound: [404, '角色不存在'],
  exists: [409, '角色名称已存在'],
  noDefault: [400, '至少要有一个默认角色'],
  inUse: [409, '默认角色和还有用户的角色不能删除'],
  unknownPermission: [400, '授权中有不存在的权限'],
  beyondOwn: [403, '不能授予您自己没有的权限'],
  superRole: [409, '超级管理员角色不能这样修改'],
  permissionNotFound: [404, '权限不存在'],
});
