import { Form, Input, Select } from 'antd';
import { useMemo } from 'react';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Account, accountApi } from '../../manage-accounts.contract.ts';
import { type Role, roleApi } from '../../role.contract.ts';

type Values = { username: string; password: string; email: string; group_id: number[] };
type Props = { open: boolean; account?: Account; roles: Role[]; onClose: () => void };

/** Creates a user, or sets the password and roles of an existing one. */
export function AccountForm({ open, account, roles, onClose }: Props) {
  const values = useMemo<Values>(
    () => ({
      username: account?.username ?? '',
      password: '',
      email: account?.email ?? '',
      group_id: account?.group_id ?? roles.filter(({ is_default }) => is_default).map(({ id }) => id),
    }),
    [account, roles],
  );
  const invalidates = [accountApi.list, roleApi.list];
  const add = useAction(accountApi.add, { success: '新增成功', onDone: onClose, invalidates });
  const set = useAction(accountApi.set, { success: '修改成功', onDone: onClose, invalidates });
  const save = ({ username, password, email, group_id }: Values) =>
    account ? set.run({ id: account.id, password, group_id }) : add.run({ username, password, email, group_id });

  return (
    <FormDrawer<Values>
      title={account ? '设置用户' : '新增用户'}
      open={open}
      values={values}
      saving={add.isPending || set.isPending}
      onClose={onClose}
      onSubmit={save}
    >
      <Form.Item name="username" label="用户名" rules={[{ required: true, message: '请输入用户名' }]}>
        <Input maxLength={32} disabled={account !== undefined} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="password"
        label="密码"
        extra={account ? '留空则不修改；修改后该用户的登录全部失效' : undefined}
        rules={[
          { required: !account, message: '请输入用户密码' },
          { min: 8, message: '密码至少 8 位' },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      {!account && (
        <Form.Item name="email" label="邮箱" rules={[{ type: 'email', message: '请输入正确的邮箱地址' }]}>
          <Input maxLength={254} autoComplete="off" />
        </Form.Item>
      )}
      <Form.Item name="group_id" label="角色" rules={[{ required: true, message: '请选择角色' }]}>
        <Select mode="multiple" options={roles.map(({ id, title }) => ({ value: id, label: title }))} />
      </Form.Item>
    </FormDrawer>
  );
}
