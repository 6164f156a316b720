import { Alert, Button } from 'antd';
import { Link } from 'react-router';
import { useSession } from '#modules/account/web/session-store.ts';
import { dashboardApi } from '#modules/dashboard/dashboard.contract.ts';
import {
  PendingWork,
  QueueCard,
  ServerResourcesCard,
  StatCards,
  SystemCard,
} from '#modules/dashboard/web/admin/overview-cards.tsx';
import { TrendCard } from '#modules/dashboard/web/admin/trend-card.tsx';
import { searchAdminApi } from '#modules/search/search-admin.contract.ts';
import { SearchIndexCard } from '#modules/search/web/admin/search-index-card.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { sitemapApi } from '#modules/sitemap/sitemap.contract.ts';
import { SitemapCard } from '#modules/sitemap/web/admin/sitemap-card.tsx';
import { useMayCall } from '#platform/web/admin/permission.tsx';
import { endpointQuery } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { EnvironmentList } from './environment-list.tsx';

export function DashboardScreen() {
  const pages = useSession(({ pages }) => pages);
  const mayCall = useMayCall();
  const { data, error, refetch } = useQueryWithMinimumLoading(endpointQuery(dashboardApi.overview, {}));
  return (
    <>
      <MailWarning pages={pages} />
      {error ? (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 16 }}
          title="面板加载失败"
          description={error.message}
          action={<Button onClick={() => refetch()}>重试</Button>}
        />
      ) : null}
      {data ? <PendingWork pending={data.pending} /> : null}
      {data?.stats === null ? null : <StatCards stats={data?.stats} pages={pages} />}
      {mayCall(dashboardApi.trend) ? <TrendCard /> : null}
      <div className="admin-columns">
        {data?.queue ? <QueueCard queue={data.queue} /> : null}
        {data?.device ? <ServerResourcesCard device={data.device} /> : null}
        {data?.system ? <SystemCard system={data.system} /> : null}
      </div>
      {mayCall(searchAdminApi.index) ? <SearchIndexCard /> : null}
      {mayCall(sitemapApi.rebuild) ? <SitemapCard /> : null}
      <EnvironmentList />
    </>
  );
}

/** Without a mail server, password recovery and e-mail codes do not work. */
function MailWarning({ pages }: { pages: string[] }) {
  const { email } = useSettings();
  if (email.enable) return null;
  const linkStyle = { style: { textDecoration: 'underline' } };
  const outbox = pages.includes('/admin/mail') ? (
    <Link to="/admin/mail" {...linkStyle}>
      发件箱
    </Link>
  ) : (
    '发件箱'
  );
  const remedy = pages.includes('/admin/config') ? (
    <>
      可以在
      <Link to="/admin/config?tab=email" {...linkStyle}>
        系统设置
      </Link>
      的邮箱配置里启用，或设置环境变量 SMTP_URL。
    </>
  ) : (
    '请告诉网站的管理员。'
  );
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 16 }}
      title="还没有配置邮件服务"
      description={
        <>
          找回密码、邮箱验证等邮件只进入{outbox}，不会寄给用户。{remedy}
        </>
      }
    />
  );
}
