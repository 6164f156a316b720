import { Space, type TableProps, Tag } from 'antd';
import { TimeAndLocation, textCell } from '#platform/web/admin/table-cells.tsx';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import type { Account } from '../../manage-accounts.contract.ts';

type Options = { creditName: string; titleOfRole: (id: number) => string | number };

export const createAccountColumns = ({
  creditName,
  titleOfRole,
}: Options): NonNullable<TableProps<Account>['columns']> => [
  {
    title: '用户名',
    dataIndex: 'username',
    render: (username, { id, avatar }) => (
      <a href={`/user/${id}`} target="_blank" rel="noreferrer" className="admin-person">
        <Avatar src={avatar} size={28} />
        {username}
      </a>
    ),
  },
  {
    title: '角色',
    dataIndex: 'group_id',
    render: (ids: number[]) => (
      <Space size={4} wrap>
        {ids.map((id) => (
          <Tag key={id}>{titleOfRole(id)}</Tag>
        ))}
      </Space>
    ),
  },
  {
    title: '状态',
    dataIndex: 'status',
    width: 88,
    render: (status, { ban_reason }) =>
      status === 1 ? (
        <Tag color="error" title={ban_reason}>
          禁用
        </Tag>
      ) : (
        <Tag color="success">正常</Tag>
      ),
  },
  {
    title: creditName,
    dataIndex: 'credit_count',
    key: 'credit_count',
    width: 88,
    sorter: true,
  },
  { title: '文档', dataIndex: 'doc_count', key: 'doc_count', width: 80, sorter: true },
  { title: '姓名', dataIndex: 'realname', render: textCell },
  { title: '邮箱', dataIndex: 'email', render: textCell },
  { title: '电话', dataIndex: 'mobile', render: textCell },
  {
    title: '注册时间 / IP',
    dataIndex: 'created_at',
    key: 'created_at',
    sorter: true,
    render: (at, { register_ip }) => <TimeAndLocation at={at} location={register_ip} />,
  },
  {
    title: '最后登录 / IP',
    dataIndex: 'login_at',
    key: 'login_at',
    sorter: true,
    render: (at, { last_login_ip }) => <TimeAndLocation at={at} location={last_login_ip} />,
  },
];
