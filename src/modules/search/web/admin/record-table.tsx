import { useQuery } from '@tanstack/react-query';
import { Button, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { RowButton, TimeCell, textCell } from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import { type SearchRecord, searchAdminApi } from '../../search-admin.contract.ts';
import { searchHref } from '../search-query.ts';

/** Every search as it was made, the latest first. */
export function RecordTable() {
  const list = useListState();
  const { created_at, wd, is_empty, user_id } = list.filters;
  const { data, isFetching, error, refetch } = useQuery(
    query(searchAdminApi.records, {
      ...{ page: list.page, size: list.size, order: list.order, wd: wd?.[0], created_at },
      user_id: user_id?.map(Number),
      is_empty: is_empty?.[0] === 'true' ? true : undefined,
    }),
  );
  const [selected, setSelected] = useState<number[]>([]);
  const confirm = useConfirm();
  const remove = useChange(
    searchAdminApi.removeRecords,
    { success: '删除成功', onDone: () => setSelected([]) },
    [searchAdminApi.records, searchAdminApi.words],
  );
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复。`, () => remove.mutateAsync({ id }));
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { name: 'is_empty', label: '结果', options: [{ value: 'true', label: '没有结果' }] },
        ]}
        more={
          <DatePicker.RangePicker
            aria-label="时间范围"
            value={created_at?.length === 2 ? [dayjs(created_at[0]), dayjs(created_at[1])] : null}
            onChange={(range) =>
              list.change({
                filters: {
                  ...list.filters,
                  created_at: range
                    ? [
                        range[0]?.startOf('day').toISOString() ?? '',
                        range[1]?.endOf('day').toISOString() ?? '',
                      ]
                    : [],
                },
              })
            }
          />
        }
      >
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 条搜索记录`)}
        >
          批量删除
        </Button>
      </FilterBar>
      <DataTable<SearchRecord>
        rows={data?.search_record}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        selected={selected}
        onSelect={setSelected}
        emptyText="还没有搜索记录"
        columns={[
          { title: 'ID', dataIndex: 'id', width: 88 },
          {
            title: '搜索词',
            dataIndex: 'keywords',
            render: (word: string) => (
              <a
                className="admin-clip"
                href={searchHref({ wd: word })}
                target="_blank"
                rel="noreferrer"
              >
                {word}
              </a>
            ),
          },
          { title: '结果数', dataIndex: 'total', width: 96 },
          { title: '页码', dataIndex: 'page', width: 72 },
          {
            title: '用时',
            dataIndex: 'spend_time',
            width: 104,
            render: (seconds: number) => `${Math.round(seconds * 1000)} 毫秒`,
          },
          {
            title: '用户',
            dataIndex: 'username',
            render: (name: string, { user_id }) =>
              user_id > 0 ? (
                <a href={`/user/${user_id}`} target="_blank" rel="noreferrer">
                  {name}
                </a>
              ) : (
                '游客'
              ),
          },
          { title: 'IP', dataIndex: 'ip', render: textCell },
          { title: '浏览器', dataIndex: 'user_agent', render: textCell },
          {
            title: '时间',
            dataIndex: 'created_at',
            width: 120,
            render: (at: string) => <TimeCell at={at} />,
          },
          {
            title: '操作',
            key: 'actions',
            fixed: 'right',
            width: 80,
            render: (_, { id, keywords }) => (
              <RowButton danger onClick={() => askRemove([id], `对“${keywords}”的搜索记录`)}>
                删除
              </RowButton>
            ),
          },
        ]}
      />
    </>
  );
}
