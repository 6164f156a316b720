import { Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { useTimeZone } from '../time-zone-context.ts';

const EnableTag = ({ on }: { on: boolean }) => <Tag color={on ? 'success' : 'default'}>{on ? '启用' : '禁用'}</Tag>;

export const SiteDateTime = ({ at }: { at: string }) => formatDateTime(at, useTimeZone());

export const RelativeTimeCell = ({ at }: { at: string }) => (
  <Tooltip title={<SiteDateTime at={at} />}>
    <time dateTime={at}>{relativeTime(at)}</time>
  </Tooltip>
);

export const textCell = (value: string) =>
  value ? (
    <span className="admin-clip" title={value}>
      {value}
    </span>
  ) : (
    '-'
  );

/** Date and time with the location of the request below. */
export const TimeAndLocation = ({ at, location }: { at: string; location: string }) =>
  at ? (
    <span className="admin-two-lines">
      <SiteDateTime at={at} />
      <small>{location}</small>
    </span>
  ) : (
    '-'
  );

export const idColumn = { title: 'ID', dataIndex: 'id', width: 80, sorter: true };
export const sortColumn = { title: '排序', dataIndex: 'sort', width: 88, sorter: true };
export const enabledColumn = {
  title: '状态',
  dataIndex: 'enable',
  width: 88,
  sorter: true,
  render: (on: boolean) => <EnableTag on={on} />,
};
export const updatedColumn = {
  title: '更新时间',
  dataIndex: 'updated_at',
  width: 120,
  sorter: true,
  render: (at: string) => <RelativeTimeCell at={at} />,
};

/** Sortable column with the creation time of a row. */
export const createdColumn = (title: string) => ({
  title,
  dataIndex: 'created_at',
  sorter: true,
  render: (at: string) => <RelativeTimeCell at={at} />,
});

/** Link to a page of the public site that opens a new tab. */
export const NewTabLink = ({ to, clip, children }: LinkProps) => (
  <a className={clip ? 'admin-clip' : undefined} href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
);
type LinkProps = { to: string; clip?: boolean; children: ReactNode };

export const selectOptionsOf = (labels: Record<string | number, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Filter for records that can be enabled and disabled. */
export const enableFilter = {
  name: 'enable',
  label: '状态',
  options: selectOptionsOf({ true: '启用', false: '禁用' }),
};
export const toBooleans = (values: string[] | undefined) => values?.map((value) => value === 'true');
