import { Form, Input, Switch, type TableProps, Tag } from 'antd';
import { useMemo, useState } from 'react';
import { formatSize } from '#platform/contract/file-size.ts';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, selectOptionsOf, TimeAndLocation, textCell, toBooleans } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useBulkDelete } from '#platform/web/admin/use-bulk-delete.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { attachmentTypeNames } from '../../attachment.contract.ts';
import { attachmentApi, type ManagedAttachment } from '../../manage-attachments.contract.ts';

const invalidatedQueries = [attachmentApi.list];

const attachmentColumns: NonNullable<TableProps<ManagedAttachment>['columns']> = [
  idColumn,
  { title: '类型', dataIndex: 'type_name', width: 96 },
  { title: '名称', dataIndex: 'name', render: textCell },
  {
    title: '是否合法',
    dataIndex: 'enable',
    width: 96,
    render: (legal) => <Tag color={legal ? 'success' : 'error'}>{legal ? '合法' : '非法'}</Tag>,
  },
  {
    title: '使用',
    key: 'used',
    width: 88,
    render: (_, { type, type_id }) =>
      type_id > 0 ? (
        <Tag>{type === 2 ? `文档 ${type_id}` : '使用中'}</Tag>
      ) : (
        <span className="admin-quiet">未使用</span>
      ),
  },
  { title: '上传者', dataIndex: 'username', render: textCell },
  {
    title: '大小',
    dataIndex: 'size',
    key: 'size',
    sorter: true,
    render: (size, { width, height }) => (
      <span className="admin-two-lines">
        {formatSize(size)}
        {width > 0 && <small>{`${width} × ${height}`}</small>}
      </span>
    ),
  },
  { title: '扩展', dataIndex: 'ext', width: 80 },
  { title: 'HASH', dataIndex: 'hash', render: textCell },
  { title: '存储路径', dataIndex: 'path', render: textCell },
  { title: '备注', dataIndex: 'description', render: textCell },
  {
    title: '上传时间 / IP',
    dataIndex: 'created_at',
    key: 'created_at',
    sorter: true,
    render: (at, { ip }) => <TimeAndLocation at={at} location={ip} />,
  },
];

const filters = [
  { name: 'type', label: '附件类型', options: selectOptionsOf(attachmentTypeNames) },
  { name: 'enable', label: '是否合法', options: selectOptionsOf({ true: '合法', false: '非法' }) },
];

export function AttachmentScreen() {
  const { list, result, data } = useAdminList(attachmentApi.list, ({ type, enable }) => ({
    type: type?.map(Number),
    enable: toBooleans(enable),
  }));
  const [editedAttachment, setEditedAttachment] = useState<ManagedAttachment | null>(null);
  const removal = useBulkDelete({
    remove: attachmentApi.remove,
    invalidates: invalidatedQueries,
    noun: '附件',
    measure: '个',
    warning: '正在使用的附件不能删除。',
  });

  return (
    <>
      <FilterBar list={list} filters={filters}>
        {removal.bulkDeleteButton}
      </FilterBar>
      <DataTable<ManagedAttachment>
        rows={data?.attachment}
        result={result}
        list={list}
        selection={removal.selection}
        emptyText="还没有附件"
        columns={[
          ...attachmentColumns,
          actionsColumn(
            2,
            (row) => [
              { label: '编辑', calls: [attachmentApi.update], onClick: () => setEditedAttachment(row) },
              {
                label: '删除',
                calls: [attachmentApi.remove],
                danger: true,
                disabled: row.type_id > 0,
                onClick: () => removal.confirmDelete([row.id], `附件“${row.name || row.id}”`),
              },
            ],
            { nameOf: ({ name, id }) => name || `附件 ${id}` },
          ),
        ]}
      />
      <AttachmentForm editing={editedAttachment} onClose={() => setEditedAttachment(null)} />
    </>
  );
}

type Values = Pick<ManagedAttachment, 'name' | 'enable' | 'description'>;

function AttachmentForm(props: { editing: ManagedAttachment | null; onClose: () => void }) {
  const { editing, onClose } = props;
  const update = useAction(attachmentApi.update, {
    success: '修改成功',
    onDone: onClose,
    invalidates: invalidatedQueries,
  });
  const values = useMemo<Partial<Values>>(() => ({ ...editing }), [editing]);
  return (
    <FormDrawer<Values>
      title="编辑附件"
      open={editing !== null}
      values={values}
      saving={update.isPending}
      onClose={onClose}
      onSubmit={({ name, enable, description }) => editing && update.run({ id: editing.id, name, enable, description })}
    >
      <Form.Item name="name" label="名称" rules={[{ required: true, whitespace: true, message: '请输入附件名称' }]}>
        <Input maxLength={255} />
      </Form.Item>
      <Form.Item
        name="enable"
        label="是否合法"
        valuePropName="checked"
        extra="关闭后，内容相同的文件不能再上传，使用它的文档会被禁用"
      >
        <Switch checkedChildren="合法" unCheckedChildren="非法" />
      </Form.Item>
      <Form.Item name="description" label="备注">
        <Input.TextArea rows={3} maxLength={255} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
