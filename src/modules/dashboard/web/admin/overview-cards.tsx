import { Descriptions, type DescriptionsProps, Progress } from 'antd';
import { Link } from 'react-router';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import {
  type DeviceInfo,
  type dashboardApi,
  type PendingWorkKind,
  pendingWorkLabels,
  type Stats,
  type SystemInfo,
} from '../../dashboard.contract.ts';

type Overview = OutputOf<typeof dashboardApi.overview>;

/** Lists filtered to the pending rows. */
const pendingLinks: Record<PendingWorkKind, string> = {
  review: '/admin/document/list?status=6',
  report: '/admin/report?status=false',
  comment: '/admin/comment?status=0',
  failed: '/admin/document/list?status=3',
};

/** Counts of pending work, each linked to its list. */
export function PendingWork({ pending }: Pick<Overview, 'pending'>) {
  if (pending.length === 0) return null;
  return (
    <section className="admin-stats" aria-label="待办">
      {pending.map(({ name, total }) => (
        <Link key={name} to={pendingLinks[name]} className="admin-stat" data-waiting={total > 0 || undefined}>
          <span>{pendingWorkLabels[name]}</span>
          <strong>{total.toLocaleString('zh-CN')}</strong>
        </Link>
      ))}
    </section>
  );
}

const statLinks: { name: keyof Stats; label: string; page: string }[] = [
  { name: 'document', label: '文档', page: '/admin/document/list' },
  { name: 'user', label: '用户', page: '/admin/user/list' },
  { name: 'comment', label: '评论', page: '/admin/comment' },
  { name: 'download', label: '下载', page: '' },
  { name: 'category', label: '分类', page: '/admin/document/category' },
  { name: 'report', label: '举报', page: '/admin/report' },
  { name: 'article', label: '单页', page: '/admin/article' },
  { name: 'banner', label: '横幅', page: '/admin/banner' },
  { name: 'friendlink', label: '友链', page: '/admin/friendlink' },
];

/** Totals of the site, each linked to its list if the user may open it. */
export function StatCards({ stats, pages }: { stats: Stats | undefined; pages: string[] }) {
  return (
    <section className="admin-stats" aria-label="数据统计">
      {statLinks.map(({ name, label, page }) => {
        const content = (
          <>
            <span>{label}</span>
            <strong>{stats ? stats[name].toLocaleString('zh-CN') : '–'}</strong>
          </>
        );
        return pages.includes(page) ? (
          <Link key={name} to={page} className="admin-stat">
            {content}
          </Link>
        ) : (
          <div key={name} className="admin-stat">
            {content}
          </div>
        );
      })}
    </section>
  );
}

type CardProps = { id: string; title: string; items: DescriptionsProps['items'] };
const DetailsCard = ({ id, title, items }: CardProps) => (
  <section className="admin-card admin-section" aria-labelledby={id}>
    <div className="admin-section-head">
      <h2 id={id}>{title}</h2>
    </div>
    <Descriptions size="small" column={1} items={items} />
  </section>
);

export function QueueCard({ queue }: { queue: NonNullable<Overview['queue']> }) {
  return (
    <DetailsCard
      id="queue"
      title="转换队列"
      items={[
        { key: 'running', label: '正在转换', children: queue.running },
        { key: 'waiting', label: '等待转换', children: queue.waiting },
        { key: 'failed', label: '转换失败', children: queue.failed },
        {
          key: 'more',
          label: '详情',
          children: <Link to="/admin/document/queue">打开转换队列</Link>,
        },
      ]}
    />
  );
}

const NEARLY_FULL_PERCENT = 90;

function UsageBar({ label, total, free }: { label: string; total: number; free: number }) {
  const percent = total > 0 ? Math.round(((total - free) / total) * 100) : 0;
  return (
    <div>
      <Progress
        aria-label={`${label}已用 ${percent}%`}
        percent={percent}
        size="small"
        status={percent >= NEARLY_FULL_PERCENT ? 'exception' : 'normal'}
      />
      {`已用 ${formatSize(total - free)}，剩余 ${formatSize(free)}，共 ${formatSize(total)}`}
    </div>
  );
}

export function ServerResourcesCard({ device }: { device: DeviceInfo }) {
  return (
    <DetailsCard
      id="device"
      title="服务器"
      items={[
        {
          key: 'disk',
          label: '磁盘',
          children: <UsageBar label="磁盘" total={device.disk_total} free={device.disk_free} />,
        },
        {
          key: 'memory',
          label: '内存',
          children: <UsageBar label="内存" total={device.memory_total} free={device.memory_free} />,
        },
        {
          key: 'cpu',
          label: '处理器',
          children: `${device.cpu_count} 核，负载 ${device.load.toFixed(2)}`,
        },
        { key: 'database', label: '数据库', children: formatSize(device.database_size) },
        { key: 'files', label: '文档原件', children: formatSize(device.file_size) },
      ]}
    />
  );
}

const modes: Record<string, string> = {
  all: '网站与后台任务（all）',
  web: '只有网站（web）',
  worker: '只有后台任务（worker）',
};

/** 3 天 4 小时, 5 小时 6 分钟, 7 分钟. */
function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} 天 ${hours} 小时`;
  return hours > 0 ? `${hours} 小时 ${minutes % 60} 分钟` : `${minutes} 分钟`;
}

export function SystemCard({ system }: { system: SystemInfo }) {
  return (
    <DetailsCard
      id="system"
      title="系统信息"
      items={[
        { key: 'version', label: '豆库', children: system.version },
        { key: 'os', label: '操作系统', children: system.os },
        { key: 'node', label: 'Node', children: system.node },
        { key: 'mode', label: '运行方式', children: modes[system.mode] ?? system.mode },
        { key: 'database', label: '数据库', children: system.database },
        { key: 'storage', label: '文件存储', children: system.storage },
        { key: 'search', label: '搜索', children: system.search },
        { key: 'uptime', label: '已运行', children: formatDuration(system.uptime) },
      ]}
    />
  );
}
