import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { useSession } from '#modules/access/web/session.ts';
import { articleApi } from '#modules/article/article.contract.ts';
import { bannerApi } from '#modules/banner/banner.contract.ts';
import { categoryApi } from '#modules/category/category.contract.ts';
import { friendLinkApi } from '#modules/friend-link/friend-link.contract.ts';
import { IndexCard } from '#modules/search/web/admin/index-card.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { query } from '#platform/web/api.ts';
import { EnvironmentList } from './environment-list.tsx';

/** What the house holds and what it stands on. */
export function DashboardScreen() {
  const pages = useSession(({ pages }) => pages);
  const categories = useQuery(query(categoryApi.list, { page: 1, size: 1 }));
  const articles = useQuery(query(articleApi.list, { page: 1, size: 1 }));
  const banners = useQuery(query(bannerApi.list, { page: 1, size: 1 }));
  const links = useQuery(query(friendLinkApi.list, { page: 1, size: 1 }));
  const stats = [
    { label: '分类', page: '/admin/document/category', total: categories.data?.total },
    { label: '单页', page: '/admin/article', total: articles.data?.total },
    { label: '横幅', page: '/admin/banner', total: banners.data?.total },
    { label: '友链', page: '/admin/friendlink', total: links.data?.total },
  ];
  return (
    <>
      <MailWarning pages={pages} />
      <section className="admin-stats" aria-label="数据统计">
        {stats.map(({ label, page, total }) => {
          const inside = (
            <>
              <span>{label}</span>
              <strong>{total ?? '–'}</strong>
            </>
          );
          return pages.includes(page) ? (
            <Link key={label} to={page} className="admin-stat">
              {inside}
            </Link>
          ) : (
            <div key={label} className="admin-stat">
              {inside}
            </div>
          );
        })}
      </section>
      <IndexCard mayRebuild={pages.includes('/admin/config')} />
      <EnvironmentList />
    </>
  );
}

/** Password recovery and mailed codes depend on it, so whoever runs the site shall know. */
function MailWarning({ pages }: { pages: string[] }) {
  const { email } = useSettings();
  if (email.enable) return null;
  const linked = { style: { textDecoration: 'underline' } };
  const outbox = pages.includes('/admin/mail') ? (
    <Link to="/admin/mail" {...linked}>
      发件箱
    </Link>
  ) : (
    '发件箱'
  );
  const remedy = pages.includes('/admin/config') ? (
    <>
      可以在
      <Link to="/admin/config?tab=email" {...linked}>
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
