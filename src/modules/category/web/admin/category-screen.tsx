import { useQuery } from '@tanstack/react-query';
import { Button, Space, Switch } from 'antd';
import { useMemo, useState } from 'react';
import { asBooleans, enableFilter, TimeCell } from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import { type Category, categoryApi } from '../../category.contract.ts';
import { CategoryForm, type Editing } from './category-form.tsx';
import { type CategoryNode, toNodes } from './category-nodes.ts';

export function CategoryScreen() {
  const list = useListState();
  const { data, isFetching, error, refetch } = useQuery(
    query(categoryApi.list, {
      wd: list.filters.wd?.[0],
      enable: asBooleans(list.filters.enable),
    }),
  );
  const rows = data?.category ?? [];
  const nodes = useMemo(() => toNodes(rows), [rows]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [folded, setFolded] = useState<number[]>([]);
  const [selected, setSelected] = useState<number[]>([]);
  const confirm = useConfirm();
  const reread = [categoryApi.list];
  const toggle = useChange(categoryApi.update, { success: '修改成功' }, reread);
  const remove = useChange(
    categoryApi.remove,
    { success: '删除成功', onDone: () => setSelected([]) },
    reread,
  );
  const askRemove = (id: number[], what: string) =>
    confirm(
      `您确定要删除${what}吗？下级分类会一并删除，删除后不可恢复。含有文档的分类不能删除。`,
      () => remove.mutateAsync({ id }),
    );
  const switchOf = (row: Category) => (
    <Switch
      size="small"
      aria-label={`启用 ${row.title}`}
      checked={row.enable}
      onChange={(enable) => toggle.mutate({ ...writableOf(row), enable })}
    />
  );

  return (
    <>
      <FilterBar list={list} filters={[enableFilter]}>
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 个分类`)}
        >
          批量删除
        </Button>
        <Button type="primary" onClick={() => setEditing({ parentId: 0 })}>
          新增分类
        </Button>
      </FilterBar>
      <DataTable<CategoryNode>
        rows={nodes}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        selected={selected}
        onSelect={setSelected}
        emptyText="还没有分类"
        expandable={{
          // Open unless folded by hand, new parents included.
          expandedRowKeys: rows.map(({ id }) => id).filter((id) => !folded.includes(id)),
          onExpand: (open, { id }) =>
            setFolded(open ? folded.filter((each) => each !== id) : [...folded, id]),
        }}
        columns={[
          { title: '名称', dataIndex: 'title', width: 220 },
          { title: 'ID', dataIndex: 'id', width: 72 },
          { title: '是否启用', dataIndex: 'enable', width: 96, render: (_, row) => switchOf(row) },
          { title: '排序', dataIndex: 'sort', width: 80 },
          {
            title: '封面',
            dataIndex: 'cover',
            width: 96,
            render: (cover, { title }) =>
              cover ? <img src={cover} alt={`${title}的封面`} className="admin-thumb" /> : '-',
          },
          { title: '文档数', dataIndex: 'doc_count', width: 88 },
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
            width: 200,
            render: (_, row) => (
              <Space>
                <Button type="link" size="small" onClick={() => setEditing({ parentId: row.id })}>
                  加下级
                </Button>
                <Button type="link" size="small" onClick={() => setEditing({ category: row })}>
                  编辑
                </Button>
                <Button
                  type="link"
                  size="small"
                  danger
                  onClick={() => askRemove([row.id], `分类“${row.title}”`)}
                >
                  删除
                </Button>
              </Space>
            ),
          },
        ]}
      />
      <CategoryForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}

/** The part of a row that an update may send. */
function writableOf({ id, title, parent_id, cover, icon, description, sort, enable }: Category) {
  return { id, title, parent_id, cover, icon, description, sort, enable };
}
