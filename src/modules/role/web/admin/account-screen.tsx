import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { userApi } from '#modules/account/account.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, selectOptionsOf } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { type Account, accountApi } from '../../manage-accounts.contract.ts';
import { type Role, roleApi } from '../../role.contract.ts';
import { createAccountColumns } from './account-columns.tsx';
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

const accountFilters = (roles: Role[]) => [
  {
    name: 'group_id',
    label: '角色',
    options: roles.map(({ id, title }) => ({ value: String(id), label: title })),
  },
  { name: 'status', label: '状态', options: selectOptionsOf({ 0: '正常', 1: '禁用' }) },
];

type OpenDialog = (kind: Task['kind'], ...accounts: Account[]) => void;

const createActionsColumn = (
  open: OpenDialog,
  actions: AccountAction[],
  openAction: (action: AccountAction, account: Account) => void,
) =>
  actionsColumn<Account>(
    3,
    (row) => [
      { label: '设置', calls: [accountApi.set], onClick: () => open('set', row) },
      { label: '编辑', calls: [userApi.updateProfile], onClick: () => open('profile', row) },
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
          onClick: () => openAction(action, row),
        })),
        { label: '删除', calls: [accountApi.remove], danger: true, onClick: () => open('remove', row) },
      ],
    },
  );

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
  const open: OpenDialog = (kind, ...accounts) => setTask({ kind, accounts });
  const titleOfRole = (id: number) => roles.data?.group.find((role) => role.id === id)?.title ?? id;
  const selectedAccounts = (data?.user ?? []).filter(({ id }) => selectedIds.includes(id));

  return (
    <>
      <FilterBar list={list} filters={accountFilters(roles.data?.group ?? NO_ROLES)}>
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
          ...createAccountColumns({ creditName, titleOfRole }),
          createActionsColumn(open, actions, (action, account) => setOpenAction({ action, account })),
        ]}
      />
      <AccountDialogs
        task={task}
        roles={roles.data?.group ?? NO_ROLES}
        onClose={() => setTask(null)}
        onDeleted={() => setSelectedIds([])}
      />
      {openAction?.action.render(openAction.account, () => setOpenAction(null))}
    </>
  );
}

type DialogProps = { task: Task | null; roles: Role[]; onClose: () => void; onDeleted: () => void };

function AccountDialogs({ task, roles, onClose, onDeleted }: DialogProps) {
  const [account] = task?.accounts ?? [];
  const isOpen = (kind: Task['kind']) => task?.kind === kind;
  return (
    <>
      <AccountForm open={isOpen('set')} account={account} roles={roles} onClose={onClose} />
      <AccountProfileForm account={isOpen('profile') ? account : undefined} onClose={onClose} />
      {isOpen('ban') && account && <BanAccountDialog account={account} onClose={onClose} />}
      {isOpen('remove') && task && (
        <DeleteAccountsDialog accounts={task.accounts} onClose={onClose} onDone={onDeleted} />
      )}
    </>
  );
}
