import { ActionButton } from '#platform/web/admin/permission.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { sitemapApi } from '../../sitemap.contract.ts';

/** Lets an administrator regenerate the sitemap without waiting for the daily job. */
export function SitemapCard() {
  const rebuild = useAction(sitemapApi.rebuild, { success: '更新成功，稍后生效', failure: '更新失败' });
  return (
    <section className="admin-card admin-section" aria-labelledby="sitemap">
      <div className="admin-section-head">
        <h2 id="sitemap">站点地图</h2>
        <ActionButton calls={[sitemapApi.rebuild]} loading={rebuild.isPending} onClick={() => rebuild.run({})}>
          更新站点地图
        </ActionButton>
      </div>
      <p>
        搜索引擎从{' '}
        <a href="/sitemap.xml" style={{ textDecoration: 'underline' }}>
          /sitemap.xml
        </a>{' '}
        找到公开的页面。内容有变化时，它每十分钟自动更新一次。
      </p>
    </section>
  );
}
