import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { CsvColumn } from '#platform/server/http/csv.ts';
import type { Account, accountApi } from './manage-accounts.contract.ts';
import type { permissionApi, roleApi } from './role.contract.ts';
import { roles } from './role.table.ts';

const accountColumns = (titles: Map<number, string>, creditName: string): CsvColumn<Account>[] => [
  ['ID', 'id'],
  ['用户名', 'username'],
  ['角色', ({ group_id }) => group_id.map((id) => titles.get(id) ?? id).join('、')],
  ['状态', ({ status }) => (status === 1 ? '禁用' : '正常')],
  ['禁用原因', 'ban_reason'],
  [creditName, 'credit_count'],
  ['文档', 'doc_count'],
  ['评论', 'comment_count'],
  ['姓名', 'realname'],
  ['邮箱', 'email'],
  ['电话', 'mobile'],
  ['注册时间', 'created_at'],
  ['注册 IP', 'register_ip'],
  ['最后登录', 'login_at'],
  ['登录 IP', 'last_login_ip'],
];

export const accountExport: CsvExport<typeof accountApi.list> = {
  name: '用户',
  access: 'permission:UserAPI/ListUser',
  columns: async (ctx) => {
    const { score } = await getSettings(ctx);
    const rows = await ctx.db.select({ id: roles.id, title: roles.title }).from(roles);
    return accountColumns(new Map(rows.map(({ id, title }) => [id, title])), score.credit_name);
  },
};

export const roleExport: CsvExport<typeof roleApi.list> = {
  name: '角色',
  access: 'permission:GroupAPI/ListGroup',
  columns: [
    ['ID', 'id'],
    ['名称', 'title'],
    ['用户数', 'user_count'],
    ['默认', 'is_default'],
    ['上传文档', 'enable_upload'],
    ['文档需审核', 'enable_document_review'],
    ['评论', 'enable_comment'],
    ['评论需审核', 'enable_comment_approval'],
    ['下载', 'enable_download'],
    ['排序', 'sort'],
    ['描述', 'description'],
    ['更新时间', 'updated_at'],
  ],
};

export const permissionExport: CsvExport<typeof permissionApi.list> = {
  name: '权限',
  access: 'permission:PermissionAPI/ListPermission',
  columns: [
    ['ID', 'id'],
    ['名称', 'title'],
    ['描述', 'description'],
    ['方法', 'method'],
    ['API', 'path'],
    ['更新时间', 'updated_at'],
  ],
};
