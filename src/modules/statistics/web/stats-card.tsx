import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import type { statisticsApi } from '../statistics.contract.ts';

export type StatsCounts = Pick<OutputOf<typeof statisticsApi.stats>, 'document_count' | 'user_count'>;

/** Numbers of documents and users, unless the settings hide them. */
export function StatsCard({ stats }: { stats: StatsCounts }) {
  const { display } = useSettings();
  const figures = [
    { label: '收录文档', value: stats.document_count, isVisible: display.show_document_count },
    { label: '注册用户', value: stats.user_count, isVisible: display.show_register_user_count },
  ].filter(({ isVisible }) => isVisible);
  if (figures.length === 0) return null;
  return (
    <dl aria-label="站点统计" className="card flex divide-x divide-line py-3.5 text-center">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-1 flex-col-reverse">
          <dt className="text-13 text-ink-2">{label}</dt>
          <dd className="font-serif text-22 leading-tight font-bold tabular-nums">{value.toLocaleString('zh-CN')}</dd>
        </div>
      ))}
    </dl>
  );
}
