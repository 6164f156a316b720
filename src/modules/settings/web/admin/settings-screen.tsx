import { Button, Result, Skeleton } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { useUnsavedChangesPrompt } from '#platform/web/admin/unsaved-changes-prompt.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { settingGroups, settingsApi } from '../../settings.contract.ts';
import { SettingsForm } from './settings-form.tsx';

/** On small screens the row of tabs is wider than the viewport. */
const scrollIntoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

export function SettingsScreen({ pictures }: { pictures: Endpoint }) {
  const [params] = useSearchParams();
  const requestedTab = params.get('tab');
  const tab = requestedTab !== null && Object.hasOwn(settingGroups, requestedTab) ? requestedTab : 'system';
  const [openedTabs, setOpenedTabs] = useState<readonly string[]>([]);
  if (!openedTabs.includes(tab)) setOpenedTabs([...openedTabs, tab]);
  const watch = useUnsavedChangesPrompt();
  const { data, error, refetch } = useQueryWithMinimumLoading(endpointQuery(settingsApi.list, {}));
  // A failed refetch must not replace the form with unsaved input.
  if (error && !data)
    return (
      <Result
        status="warning"
        title="设置加载失败"
        subTitle={error.message}
        extra={<Button onClick={() => refetch()}>重试</Button>}
      />
    );
  return (
    <div className="admin-card">
      <nav aria-label="设置分组" className="admin-tabs">
        {Object.entries(settingGroups).map(([key, label]) => (
          <Link
            key={key}
            ref={key === tab ? scrollIntoView : undefined}
            to={key === 'system' ? '?' : `?tab=${key}`}
            aria-current={key === tab ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {data ? (
        // Opened groups stay mounted, so that unsaved input survives a change of the tab.
        openedTabs.map((group) => (
          <div key={group} hidden={group !== tab}>
            <SettingsForm
              pictures={pictures}
              watch={watch}
              rows={data.config.filter(({ category }) => category === group)}
            />
          </div>
        ))
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </div>
  );
}
