import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { NewTabLink, RelativeTimeCell } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type SearchedQuery, searchAdminApi } from '../../search-admin.contract.ts';
import { searchHref } from '../search-url.ts';

const DEFAULT_DAYS = 30;
const periods = [7, DEFAULT_DAYS, 90, 365].map((days) => ({
  value: String(days),
  label: `最近 ${days} 天`,
}));

/** Queries with their frequency; `isEmpty`: only those without results. */
export function QueryStatisticsTable({ isEmpty = false }: { isEmpty?: boolean }) {
  const { list, result, data } = useAdminList(searchAdminApi.words, ({ days }) => ({
    days: Number(days?.[0]) || DEFAULT_DAYS,
    is_empty: isEmpty || undefined,
  }));
  // Queries have no id, but the table needs numeric ids: use the rank.
  const first = (list.page - 1) * list.size + 1;
  const rows = data?.word.map((word, at) => ({ ...word, id: first + at }));
  return (
    <>
      <FilterBar list={list} filters={[{ name: 'days', label: `最近 ${DEFAULT_DAYS} 天`, options: periods }]} />
      <DataTable<SearchedQuery & { id: number }>
        rows={rows}
        result={result}
        list={list}
        emptyText={isEmpty ? '这段时间里，读者搜的都有结果' : '这段时间里没有人搜索'}
        columns={[
          { title: '名次', dataIndex: 'id', width: 72 },
          {
            title: '搜索词',
            dataIndex: 'keywords',
            render: (word: string) => (
              <NewTabLink clip to={searchHref({ wd: word })}>
                {word}
              </NewTabLink>
            ),
          },
          { title: '次数', dataIndex: 'count', width: 96 },
          { title: '人数', dataIndex: 'users', width: 96 },
          { title: '最近结果数', dataIndex: 'total', width: 120 },
          {
            title: '最近搜索',
            dataIndex: 'searched_at',
            width: 140,
            render: (at: string) => <RelativeTimeCell at={at} />,
          },
        ]}
      />
    </>
  );
}
