import { Tag, Tooltip } from 'antd';
import { formatDateTime, relativeTime } from '#platform/contract/format.ts';

export const EnableTag = ({ on }: { on: boolean }) => (
  <Tag color={on ? 'success' : 'default'}>{on ? '启用' : '禁用'}</Tag>
);

/** How long ago, with the exact time on hover and for assistive technology. */
export const TimeCell = ({ at }: { at: string }) => (
  <Tooltip title={formatDateTime(at)}>
    <time dateTime={at}>{relativeTime(at)}</time>
  </Tooltip>
);

export const textCell = (value: string) =>
  value ? <span className="admin-clip">{value}</span> : '-';

/** The filter every list with a switch has. */
export const enableFilter = {
  name: 'enable',
  label: '状态',
  options: [
    { value: 'true', label: '启用' },
    { value: 'false', label: '禁用' },
  ],
};
export const asBooleans = (values: string[] | undefined) =>
  values?.map((value) => value === 'true');
