import { Button, type ButtonProps, Tag, Tooltip } from 'antd';
import { formatDateTime, relativeTime } from '#platform/contract/format.ts';

export const EnableTag = ({ on }: { on: boolean }) => (
  <Tag color={on ? 'success' : 'default'}>{on ? '启用' : '禁用'}</Tag>
);

/** What can be done with one row. */
export const RowButton = (
  props: Pick<ButtonProps, 'danger' | 'disabled' | 'loading' | 'onClick' | 'children'>,
) => <Button type="link" size="small" {...props} />;

/** How long ago, with the exact time on hover and for assistive technology. */
export const TimeCell = ({ at }: { at: string }) => (
  <Tooltip title={formatDateTime(at)}>
    <time dateTime={at}>{relativeTime(at)}</time>
  </Tooltip>
);

export const textCell = (value: string) =>
  value ? <span className="admin-clip">{value}</span> : '-';

/** Columns that several lists have. */
export const idColumn = { title: 'ID', dataIndex: 'id', width: 72 };
export const sortColumn = { title: '排序', dataIndex: 'sort', width: 80 };
export const enableColumn = {
  title: '状态',
  dataIndex: 'enable',
  width: 88,
  render: (on: boolean) => <EnableTag on={on} />,
};
export const updatedColumn = {
  title: '更新时间',
  dataIndex: 'updated_at',
  width: 120,
  render: (at: string) => <TimeCell at={at} />,
};

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
