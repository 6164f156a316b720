import { Button, Result, Skeleton } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { useUnsavedChangesPrompt } from '#platform/web/admin/unsaved-changes-prompt.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useFetch } from '#platform/web/use-fetch.ts';
import { settingGroups, settingsApi } from '../../settings.contract.ts';
import { SettingsForm } from './settings-form.tsx';

/** On a phone the tabs are wider than the window. */
const scrollIntoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

export function SettingsScreen({ pictures }: { pictures: Endpoint }) {
  const [params] = useSearchParams();
  const asked = params.get('tab');
  const tab = asked !== null && Object.hasOwn(settingGroups, asked) ? asked : 'system';
  const [opened, setOpened] = useState<readonly string[]>([]);
  if (!opened.includes(tab)) setOpened([...opened, tab]);
  const watch = useUnsavedChangesPrompt();
  const { data, error, refetch } = useFetch(endpointQuery(settingsApi.list, {}));
  // Read again later, a failure must not take away what is being typed.
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
        // What was typed in one group is still there after a look at another.
        opened.map((group) => (
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
