import { Form, Input, Tag } from 'antd';
import { useMemo, useState } from 'react';
import type { Permission } from '#modules/account/permission.contract.ts';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { textCell, updatedColumn } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useAction } from '#platform/web/use-action.ts';
import { permissionApi } from '../../role.contract.ts';

const methods = ['GRPC', 'POST'].map((value) => ({ value, label: value }));

export function PermissionScreen() {
  const { list, result, data } = useAdminList(permissionApi.list, ({ method }) => ({ method }));
  const [editedPermission, setEditedPermission] = useState<Permission | null>(null);
  const close = () => setEditedPermission(null);
  const values = useMemo(
    () => ({ title: editedPermission?.title ?? '', description: editedPermission?.description ?? '' }),
    [editedPermission],
  );
  const update = useAction(permissionApi.update, {
    success: '修改成功',
    onDone: close,
    invalidates: [permissionApi.list],
  });
  return (
    <>
      <FilterBar list={list} filters={[{ name: 'method', label: '方法', options: methods }]} />
      <DataTable<Permission>
        rows={data?.permission}
        result={result}
        list={list}
        columns={[
          { title: '名称', dataIndex: 'title', sorter: true },
          { title: '描述', dataIndex: 'description', render: textCell },
          {
            title: '方法',
            dataIndex: 'method',
            width: 88,
            sorter: true,
            render: (method) => <Tag>{method}</Tag>,
          },
          { title: 'API', dataIndex: 'path', sorter: true },
          updatedColumn,
          actionsColumn(
            1,
            (row) => [{ label: '编辑', calls: [permissionApi.update], onClick: () => setEditedPermission(row) }],
            { nameOf: ({ title }) => title },
          ),
        ]}
      />
      <FormDrawer<typeof values>
        title="编辑权限"
        open={editedPermission !== null}
        values={values}
        saving={update.isPending}
        onClose={close}
        onSubmit={(submittedValues) => editedPermission && update.run({ ...submittedValues, id: editedPermission.id })}
      >
        <Form.Item name="title" label="名称" rules={[{ required: true, whitespace: true, message: '请输入权限名称' }]}>
          <Input maxLength={255} />
        </Form.Item>
        <Form.Item name="description" label="描述">
          <Input.TextArea rows={3} maxLength={255} />
        </Form.Item>
      </FormDrawer>
    </>
  );
}
