import type { TableProps } from 'antd';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { PeriodFilter } from '#platform/web/admin/period-filter.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, NewTabLink, RelativeTimeCell, textCell } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useBulkDelete } from '#platform/web/admin/use-bulk-delete.tsx';
import { type SearchRecord, searchAdminApi } from '../../search-admin.contract.ts';
import { searchHref } from '../search-url.ts';

const recordColumns: NonNullable<TableProps<SearchRecord>['columns']> = [
  { ...idColumn, width: 96 },
  {
    title: '搜索词',
    dataIndex: 'keywords',
    render: (word: string) => (
      <NewTabLink clip to={searchHref({ wd: word })}>
        {word}
      </NewTabLink>
    ),
  },
  { title: '结果数', dataIndex: 'total', width: 96, sorter: true },
  { title: '页码', dataIndex: 'page', width: 72 },
  {
    title: '用时',
    dataIndex: 'spend_time',
    width: 104,
    sorter: true,
    render: (seconds: number) => `${Math.round(seconds * 1000)} 毫秒`,
  },
  {
    title: '用户',
    dataIndex: 'username',
    render: (name: string, { user_id }) =>
      user_id > 0 ? <NewTabLink to={`/user/${user_id}`}>{name}</NewTabLink> : '游客',
  },
  { title: 'IP', dataIndex: 'ip', render: textCell },
  { title: '浏览器', dataIndex: 'user_agent', render: textCell },
  {
    title: '时间',
    dataIndex: 'created_at',
    width: 120,
    sorter: true,
    render: (at: string) => <RelativeTimeCell at={at} />,
  },
];

export function RecordTable() {
  const { list, result, data } = useAdminList(searchAdminApi.records, (filters) => ({
    created_at: filters.created_at,
    user_id: filters.user_id?.map(Number),
    is_empty: filters.is_empty?.[0] === 'true' ? true : undefined,
  }));
  const removal = useBulkDelete({
    remove: searchAdminApi.removeRecords,
    noun: '搜索记录',
    measure: '条',
    invalidates: [searchAdminApi.records, searchAdminApi.words],
  });
  return (
    <>
      <FilterBar
        list={list}
        filters={[{ name: 'is_empty', label: '结果', options: [{ value: 'true', label: '没有结果' }] }]}
        more={<PeriodFilter list={list} />}
      >
        {removal.bulkDeleteButton}
      </FilterBar>
      <DataTable<SearchRecord>
        rows={data?.search_record}
        result={result}
        list={list}
        selection={removal.selection}
        emptyText="还没有搜索记录"
        columns={[
          ...recordColumns,
          actionsColumn(
            1,
            ({ id, keywords }) => [
              {
                label: '删除',
                calls: [searchAdminApi.removeRecords],
                danger: true,
                onClick: () => removal.confirmDelete([id], `对“${keywords}”的搜索记录`),
              },
            ],
            { nameOf: ({ keywords }) => keywords },
          ),
        ]}
      />
    </>
  );
}
