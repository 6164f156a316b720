import { useQuery } from '@tanstack/react-query';
import { Button, Result, Skeleton } from 'antd';
import { Link, useSearchParams } from 'react-router';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { query } from '#platform/web/api.ts';
import { settingsApi } from '../../settings.contract.ts';
import { SettingsForm } from './settings-form.tsx';

const groups = [
  { key: 'system', label: '系统配置' },
  { key: 'footer', label: '底链配置' },
  { key: 'security', label: '安全配置' },
  { key: 'captcha', label: '验证码配置' },
  { key: 'converter', label: '转换配置' },
  { key: 'download', label: '下载配置' },
  { key: 'score', label: '积分配置' },
  { key: 'email', label: '邮箱配置' },
  { key: 'display', label: '展示配置' },
];

export function SettingsScreen({ pictures }: { pictures: Endpoint }) {
  const [params] = useSearchParams();
  const asked = params.get('tab');
  const tab = groups.some(({ key }) => key === asked) ? (asked ?? 'system') : 'system';
  const { data, error, refetch } = useQuery(query(settingsApi.list, {}));
  if (error)
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
        {groups.map(({ key, label }) => (
          <Link
            key={key}
            to={key === 'system' ? '?' : `?tab=${key}`}
            aria-current={key === tab ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {data ? (
        <SettingsForm
          key={tab}
          pictures={pictures}
          rows={data.config.filter(({ category }) => category === tab)}
        />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </div>
  );
}
