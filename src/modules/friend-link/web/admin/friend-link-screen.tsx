import { useQuery } from '@tanstack/react-query';
import { Button, Form, Input, InputNumber, Space, Switch } from 'antd';
import { useState } from 'react';
import {
  asBooleans,
  EnableTag,
  enableFilter,
  TimeCell,
  textCell,
} from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import { type FriendLink, friendLinkApi } from '../../friend-link.contract.ts';

const blank: Partial<FriendLink> = { title: '', link: '', description: '', sort: 0, enable: true };

export function FriendLinkScreen() {
  const list = useListState();
  const { data, isFetching, error, refetch } = useQuery(
    query(friendLinkApi.list, {
      page: list.page,
      size: list.size,
      wd: list.filters.wd?.[0],
      enable: asBooleans(list.filters.enable),
    }),
  );
  const [editing, setEditing] = useState<Partial<FriendLink> | null>(null);
  const [selected, setSelected] = useState<number[]>([]);
  const close = () => setEditing(null);
  const confirm = useConfirm();
  const create = useChange(friendLinkApi.create, { success: '新增成功', onDone: close }, [
    friendLinkApi.list,
  ]);
  const update = useChange(friendLinkApi.update, { success: '修改成功', onDone: close }, [
    friendLinkApi.list,
  ]);
  const remove = useChange(
    friendLinkApi.remove,
    { success: '删除成功', onDone: () => setSelected([]) },
    [friendLinkApi.list],
  );
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复。`, () => remove.mutateAsync({ id }));

  return (
    <>
      <FilterBar list={list} filters={[enableFilter]}>
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 条友链`)}
        >
          批量删除
        </Button>
        <Button type="primary" onClick={() => setEditing(blank)}>
          新增友链
        </Button>
      </FilterBar>
      <DataTable
        rows={data?.friendlink}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        selected={selected}
        onSelect={setSelected}
        emptyText="还没有友情链接"
        columns={[
          { title: 'ID', dataIndex: 'id', width: 72 },
          { title: '状态', dataIndex: 'enable', width: 88, render: (on) => <EnableTag on={on} /> },
          { title: '名称', dataIndex: 'title' },
          {
            title: '链接',
            dataIndex: 'link',
            render: (link) => (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {link}
              </a>
            ),
          },
          { title: '排序', dataIndex: 'sort', width: 80 },
          { title: '描述', dataIndex: 'description', render: textCell },
          {
            title: '更新时间',
            dataIndex: 'updated_at',
            width: 120,
            render: (at) => <TimeCell at={at} />,
          },
          {
            title: '操作',
            key: 'actions',
            fixed: 'right',
            width: 132,
            render: (_, row) => (
              <Space>
                <Button type="link" size="small" onClick={() => setEditing(row)}>
                  编辑
                </Button>
                <Button
                  type="link"
                  size="small"
                  danger
                  onClick={() => askRemove([row.id], `友链“${row.title}”`)}
                >
                  删除
                </Button>
              </Space>
            ),
          },
        ]}
      />
      <FormDrawer<FriendLink>
        title={editing?.id ? '编辑友链' : '新增友链'}
        open={editing !== null}
        values={editing ?? blank}
        saving={create.isPending || update.isPending}
        onClose={close}
        onSubmit={(values) =>
          editing?.id ? update.mutate({ ...values, id: editing.id }) : create.mutate(values)
        }
      >
        <Form.Item
          name="title"
          label="名称"
          rules={[{ required: true, whitespace: true, message: '请输入名称' }]}
        >
          <Input maxLength={64} showCount />
        </Form.Item>
        <Form.Item
          name="link"
          label="地址"
          rules={[
            {
              required: true,
              pattern: /^https?:\/\/\S+$/i,
              message: '请输入友链地址，以 http:// 或 https:// 开头',
            },
          ]}
        >
          <Input maxLength={255} placeholder="https://" />
        </Form.Item>
        <Form.Item name="sort" label="排序" tooltip="数值越大越靠前">
          <InputNumber min={0} max={2147483647} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item name="enable" label="是否启用" valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name="description" label="描述">
          <Input.TextArea rows={3} maxLength={1000} />
        </Form.Item>
      </FormDrawer>
    </>
  );
}
