import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { PeriodFilter } from '#platform/web/admin/period-filter.tsx';
import { SiteDateTime } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type AuditEntry, auditApi, EMPTY_VALUE } from '../../audit.contract.ts';

function AuditChanges({ changes }: Pick<AuditEntry, 'changes'>) {
  if (changes.length === 0) return <span>-</span>;
  return (
    <dl className="admin-changes">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {/* An empty old value is hidden when there is a new one. */}
            {before === null || (before === EMPTY_VALUE && after !== null) ? null : <del>{before}</del>}
            {after === null ? null : <ins>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function AuditScreen() {
  const { list, result, data } = useAdminList(auditApi.list, ({ created_at }) => ({ created_at }));
  return (
    <>
      <FilterBar list={list}>
        <PeriodFilter list={list} />
      </FilterBar>
      <DataTable<AuditEntry>
        rows={data?.audit}
        result={result}
        list={list}
        emptyText="还没有操作记录"
        columns={[
          {
            title: '操作',
            dataIndex: 'action',
            width: 220,
            sorter: true,
            render: (action, { target }) => (
              <div className="admin-note">
                <strong>{action}</strong>
                <span>{target}</span>
              </div>
            ),
          },
          {
            title: '变更',
            key: 'changes',
            render: (_, { changes }) => <AuditChanges changes={changes} />,
          },
          {
            title: '操作者',
            dataIndex: 'username',
            width: 140,
            sorter: true,
            render: (username, { ip }) => (
              <div className="admin-note">
                {username}
                <span>{ip}</span>
              </div>
            ),
          },
          {
            title: '时间',
            dataIndex: 'created_at',
            width: 172,
            sorter: true,
            render: (at) => <SiteDateTime at={at} />,
          },
        ]}
      />
    </>
  );
}
