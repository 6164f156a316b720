import { Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { formatDateTime, relativeTime } from '#platform/contract/format.ts';
import { useTimeZone } from '../time-zone.ts';

const EnableTag = ({ on }: { on: boolean }) => <Tag color={on ? 'success' : 'default'}>{on ? '启用' : '禁用'}</Tag>;

/** As the site's clocks show it. */
export const FullTime = ({ at }: { at: string }) => formatDateTime(at, useTimeZone());

/** How long ago, with the exact time on hover and for assistive technology. */
export const TimeCell = ({ at }: { at: string }) => (
  <Tooltip title={<FullTime at={at} />}>
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

/** A time in full with what belongs to it below: where somebody came from. */
export const TimeAndPlace = ({ at, place }: { at: string; place: string }) =>
  at ? (
    <span className="admin-two-lines">
      <FullTime at={at} />
      <small>{place}</small>
    </span>
  ) : (
    '-'
  );

/** Columns that several lists have. */
export const idColumn = { title: 'ID', dataIndex: 'id', width: 80, sorter: true };
export const sortColumn = { title: '排序', dataIndex: 'sort', width: 88, sorter: true };
export const enableColumn = {
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
  render: (at: string) => <TimeCell at={at} />,
};

/** How long ago a row was made; the list can be ordered by it. */
export const createdColumn = (title: string) => ({
  title,
  dataIndex: 'created_at',
  sorter: true,
  render: (at: string) => <TimeCell at={at} />,
});

/** A page of the public site, in a tab of its own. */
export const OutsideLink = ({ to, clip, children }: LinkProps) => (
  <a className={clip ? 'admin-clip' : undefined} href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
);
type LinkProps = { to: string; clip?: boolean; children: ReactNode };

/** Choices of a filter from the words for its values. */
export const choicesOf = (labels: Record<string | number, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The filter every list with a switch has. */
export const enableFilter = {
  name: 'enable',
  label: '状态',
  options: choicesOf({ true: '启用', false: '禁用' }),
};
export const asBooleans = (values: string[] | undefined) => values?.map((value) => value === 'true');
