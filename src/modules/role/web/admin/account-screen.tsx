import { useQuery } from '@tanstack/react-query';
import { Space, Tag } from 'antd';
import { type ReactNode, useState } from 'react';
import { userApi } from '#modules/account/account.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, selectOptionsOf, TimeAndLocation, textCell } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { type Account, accountApi } from '../../manage-accounts.contract.ts';
import { type Role, roleApi } from '../../role.contract.ts';
import { AccountForm } from './account-form.tsx';
import { AccountProfileForm } from './account-profile-form.tsx';
import { BanAccountDialog } from './ban-account-dialog.tsx';
import { DeleteAccountsDialog } from './delete-accounts-dialog.tsx';

const NO_ROLES: Role[] = [];

type Task = { kind: 'set' | 'profile' | 'ban' | 'remove'; accounts: Account[] };

/** An action that another module adds to the menu of a row. */
export type AccountAction = {
  label: string;
  calls: readonly Endpoint[];
  render: (account: Account, onClose: () => void) => ReactNode;
};

export function AccountScreen({ actions = [] }: { actions?: AccountAction[] }) {
  const roles = useQuery(endpointQuery(roleApi.list, {}));
  const { list, result, data } = useAdminList(accountApi.list, ({ group_id, status }) => ({
    group_id: group_id?.map(Number),
    status: status?.map((each) => Number(each) as 0 | 1),
  }));
  const creditName = useSettings().system.credit_name || '豆';
  const [task, setTask] = useState<Task | null>(null);
  const [openAction, setOpenAction] = useState<{ action: AccountAction; account: Account } | null>(null);
  const [selectedIds, setSelectedIds] = useState<number[]>([]);
  const close = () => setTask(null);
  const open = (kind: Task['kind'], ...accounts: Account[]) => setTask({ kind, accounts });
  const titleOf = (id: number) => roles.data?.group.find((role) => role.id === id)?.title ?? id;
  const selectedAccounts = (data?.user ?? []).filter(({ id }) => selectedIds.includes(id));
  const isOpen = (kind: Task['kind']) => task?.kind === kind;

  return (
    <>
      <FilterBar
        list={list}
        filters={[
          {
            name: 'group_id',
            label: '角色',
            options: (roles.data?.group ?? []).map(({ id, title }) => ({
              value: String(id),
              label: title,
            })),
          },
          {
            name: 'status',
            label: '状态',
            options: selectOptionsOf({ 0: '正常', 1: '禁用' }),
          },
        ]}
      >
        <ActionButton
          danger
          calls={[accountApi.remove]}
          disabled={selectedAccounts.length === 0}
          onClick={() => open('remove', ...selectedAccounts)}
        >
          批量删除
        </ActionButton>
        <ActionButton type="primary" calls={[accountApi.add]} onClick={() => open('set')}>
          新增用户
        </ActionButton>
      </FilterBar>
      <DataTable<Account>
        rows={data?.user}
        result={result}
        list={list}
        selection={{ selected: selectedIds, onSelect: setSelectedIds, bulkCalls: [accountApi.remove] }}
        columns={[
          idColumn,
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
                  <Tag key={id}>{titleOf(id)}</Tag>
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
          actionsColumn(
            3,
            (row) => [
              { label: '设置', calls: [accountApi.set], onClick: () => open('set', row) },
              {
                label: '编辑',
                calls: [userApi.updateProfile],
                onClick: () => open('profile', row),
              },
            ],
            {
              nameOf: ({ username }) => username,
              more: (row) => [
                {
                  label: row.status === 1 ? '解除禁用' : '禁用',
                  calls: [accountApi.ban],
                  onClick: () => open('ban', row),
                },
                ...actions.map((action) => ({
                  label: action.label,
                  calls: action.calls,
                  onClick: () => setOpenAction({ action, account: row }),
                })),
                {
                  label: '删除',
                  calls: [accountApi.remove],
                  danger: true,
                  onClick: () => open('remove', row),
                },
              ],
            },
          ),
        ]}
      />
      <AccountForm
        open={isOpen('set')}
        account={task?.accounts[0]}
        roles={roles.data?.group ?? NO_ROLES}
        onClose={close}
      />
      <AccountProfileForm account={isOpen('profile') ? task?.accounts[0] : undefined} onClose={close} />
      {isOpen('ban') && task?.accounts[0] && <BanAccountDialog account={task.accounts[0]} onClose={close} />}
      {isOpen('remove') && task && (
        <DeleteAccountsDialog accounts={task.accounts} onClose={close} onDone={() => setSelectedIds([])} />
      )}
      {openAction?.action.render(openAction.account, () => setOpenAction(null))}
    </>
  );
}
