import { Tag } from 'antd';
import { useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, sortColumn, textCell, updatedColumn } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { useAction } from '#platform/web/use-action.ts';
import { permissionApi, type Role, roleApi } from '../../role.contract.ts';
import { GrantPermissionsDrawer } from './grant-permissions-drawer.tsx';
import { RoleForm } from './role-form.tsx';

const grantCalls = [roleApi.grant, roleApi.permissions, permissionApi.list];
const yesNo = (on: boolean) => (on ? <Tag color="success">是</Tag> : <Tag>否</Tag>);

export function RoleScreen() {
  const { list, result, data } = useAdminList(roleApi.list, undefined, { unpaged: true });
  const [editedRole, setEditedRole] = useState<Partial<Role> | null>(null);
  const [grantedRole, setGrantedRole] = useState<Role | null>(null);
  const confirm = useConfirm();
  const remove = useAction(roleApi.remove, { success: '删除成功', invalidates: [roleApi.list] });

  return (
    <>
      <FilterBar list={list}>
        <ActionButton type="primary" calls={[roleApi.create]} onClick={() => setEditedRole({})}>
          新增角色
        </ActionButton>
      </FilterBar>
      <DataTable<Role>
        rows={data?.group}
        result={result}
        list={list}
        unpaged
        columns={[
          idColumn,
          { title: '名称', dataIndex: 'title', sorter: true },
          { title: '用户数', dataIndex: 'user_count', width: 96, sorter: true },
          { title: '默认', dataIndex: 'is_default', width: 72, render: yesNo },
          { title: '上传文档', dataIndex: 'enable_upload', width: 88, render: yesNo },
          { title: '文档需审核', dataIndex: 'enable_document_review', width: 104, render: yesNo },
          { title: '评论', dataIndex: 'enable_comment', width: 72, render: yesNo },
          { title: '评论需审核', dataIndex: 'enable_comment_approval', width: 104, render: yesNo },
          { title: '下载', dataIndex: 'enable_download', width: 72, render: yesNo },
          sortColumn,
          { title: '描述', dataIndex: 'description', render: textCell },
          updatedColumn,
          actionsColumn(
            3,
            (row) => [
              { label: '授权', calls: grantCalls, onClick: () => setGrantedRole(row) },
              { label: '编辑', calls: [roleApi.update], onClick: () => setEditedRole(row) },
              {
                label: '删除',
                calls: [roleApi.remove],
                danger: true,
                disabled: row.is_default || row.user_count > 0,
                onClick: () =>
                  confirm(`您确定要删除角色“${row.title}”吗？删除后不可恢复。`, () => remove.run({ id: [row.id] })),
              },
            ],
            { nameOf: ({ title }) => title },
          ),
        ]}
      />
      <RoleForm record={editedRole} onClose={() => setEditedRole(null)} />
      {grantedRole && <GrantPermissionsDrawer role={grantedRole} onClose={() => setGrantedRole(null)} />}
    </>
  );
}
