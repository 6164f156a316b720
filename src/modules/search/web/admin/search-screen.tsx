import { Tabs } from 'antd';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useMayCall } from '#platform/web/admin/permission.tsx';
import { searchAdminApi } from '../../search-admin.contract.ts';
import { QueryStatisticsTable } from './query-statistics-table.tsx';
import { RecordTable } from './record-table.tsx';
import { SynonymTable } from './synonym-table.tsx';

type SearchTab = { key: string; label: string; children: ReactNode };

export function SearchScreen() {
  const [params, setParams] = useSearchParams();
  const hasSynonyms = useMayCall()(searchAdminApi.synonyms);
  const tabs: SearchTab[] = [
    { key: 'record', label: '搜索记录', children: <RecordTable /> },
    { key: 'word', label: '搜索词统计', children: <QueryStatisticsTable /> },
    { key: 'empty', label: '没有结果的词', children: <QueryStatisticsTable isEmpty /> },
  ];
  if (hasSynonyms) tabs.push({ key: 'synonym', label: '同义词', children: <SynonymTable /> });
  const requestedTab = params.get('tab');
  const tab = tabs.find(({ key }) => key === requestedTab)?.key ?? 'record';
  return (
    <Tabs
      activeKey={tab}
      // Drops the filters of the other tab.
      onChange={(key) => setParams(key === 'record' ? {} : { tab: key })}
      destroyOnHidden
      items={tabs}
    />
  );
}
