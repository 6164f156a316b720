import { useQuery } from '@tanstack/react-query';
import { Button, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { TimeCell, textCell } from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import { articleApi } from '../../article.contract.ts';

// The editor is the heaviest part of the back-office; it comes when a page is opened.
const ArticleForm = lazy(() =>
  import('./article-form.tsx').then((file) => ({ default: file.ArticleForm })),
);

export function ArticleScreen() {
  const list = useListState();
  const { data, isFetching, error, refetch } = useQuery(
    query(articleApi.list, {
      page: list.page,
      size: list.size,
      wd: list.filters.wd?.[0],
      order: list.order,
    }),
  );
  /** 0 stands for a new page. */
  const [editing, setEditing] = useState<number | null>(null);
  const [selected, setSelected] = useState<number[]>([]);
  const confirm = useConfirm();
  const remove = useChange(
    articleApi.remove,
    { success: '删除成功', onDone: () => setSelected([]) },
    [articleApi.list],
  );
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复，指向它的链接会失效。`, () =>
      remove.mutateAsync({ id }),
    );

  return (
    <>
      <FilterBar list={list}>
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 个单页`)}
        >
          批量删除
        </Button>
        <Button type="primary" onClick={() => setEditing(0)}>
          新增单页
        </Button>
      </FilterBar>
      <DataTable
        rows={data?.article}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        selected={selected}
        onSelect={setSelected}
        emptyText="还没有单页"
        columns={[
          { title: 'ID', dataIndex: 'id', width: 72 },
          {
            title: '标题',
            dataIndex: 'title',
            render: (title, { identifier }) => (
              <a href={`/article/${identifier}`} target="_blank" rel="noreferrer">
                {title}
              </a>
            ),
          },
          { title: '标识', dataIndex: 'identifier' },
          { title: '浏览', dataIndex: 'view_count', width: 88 },
          { title: '关键字', dataIndex: 'keywords', render: textCell },
          { title: '摘要', dataIndex: 'description', render: textCell },
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
                <Button type="link" size="small" onClick={() => setEditing(row.id)}>
                  编辑
                </Button>
                <Button
                  type="link"
                  size="small"
                  danger
                  onClick={() => askRemove([row.id], `单页“${row.title}”`)}
                >
                  删除
                </Button>
              </Space>
            ),
          },
        ]}
      />
      {editing !== null && (
        <Suspense>
          <ArticleForm id={editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </>
  );
}
