import { useQuery } from '@tanstack/react-query';
import { Button, Space, Tag } from 'antd';
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
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import { type Banner, bannerApi, bannerTypes } from '../../banner.contract.ts';
import { BannerForm } from './banner-form.tsx';

const typeOptions = Object.entries(bannerTypes).map(([value, label]) => ({ value, label }));
const typeLabel = (type: number) => bannerTypes[type as keyof typeof bannerTypes] ?? '-';

export function BannerScreen() {
  const list = useListState();
  const { data, isFetching, error, refetch } = useQuery(
    query(bannerApi.list, {
      page: list.page,
      size: list.size,
      wd: list.filters.wd?.[0],
      enable: asBooleans(list.filters.enable),
      type: list.filters.type?.map((type) => Number(type) as 0 | 1 | 2),
    }),
  );
  const [editing, setEditing] = useState<Partial<Banner> | null>(null);
  const [selected, setSelected] = useState<number[]>([]);
  const confirm = useConfirm();
  const remove = useChange(
    bannerApi.remove,
    { success: '删除成功', onDone: () => setSelected([]) },
    [bannerApi.list],
  );
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复。`, () => remove.mutateAsync({ id }));

  return (
    <>
      <FilterBar
        list={list}
        filters={[{ name: 'type', label: '类型', options: typeOptions }, enableFilter]}
      >
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 张横幅`)}
        >
          批量删除
        </Button>
        <Button type="primary" onClick={() => setEditing({})}>
          新增横幅
        </Button>
      </FilterBar>
      <DataTable
        rows={data?.banner}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        selected={selected}
        onSelect={setSelected}
        emptyText="还没有横幅，新增一张，首页就会轮播它"
        columns={[
          { title: 'ID', dataIndex: 'id', width: 72 },
          {
            title: '图片',
            dataIndex: 'path',
            width: 148,
            render: (path, { title }) => (
              <img src={path} alt={title || '横幅图片'} className="admin-image" loading="lazy" />
            ),
          },
          { title: '名称', dataIndex: 'title', render: textCell },
          {
            title: '类型',
            dataIndex: 'type',
            width: 88,
            render: (type) => <Tag>{typeLabel(type)}</Tag>,
          },
          { title: '状态', dataIndex: 'enable', width: 88, render: (on) => <EnableTag on={on} /> },
          { title: '链接', dataIndex: 'url', render: textCell },
          { title: '排序', dataIndex: 'sort', width: 80 },
          { title: '备注', dataIndex: 'description', render: textCell },
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
                  onClick={() => askRemove([row.id], `横幅“${row.title || row.id}”`)}
                >
                  删除
                </Button>
              </Space>
            ),
          },
        ]}
      />
      <BannerForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}
