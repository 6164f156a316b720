import { Form, Input } from 'antd';
import { FormDialog } from '#platform/web/admin/form-dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Account, accountApi } from '../../manage-accounts.contract.ts';
import { roleApi } from '../../role.contract.ts';

type Props = { accounts: Account[]; onClose: () => void; onDone: () => void };

/** Deleting cannot be undone, so the dialog requires the password of the administrator. */
export function DeleteAccountsDialog({ accounts, onClose, onDone }: Props) {
  const remove = useAction(accountApi.remove, {
    success: '删除成功',
    onDone: () => {
      onDone();
      onClose();
    },
    invalidates: [accountApi.list, roleApi.list],
  });
  return (
    <FormDialog<{ password: string }>
      title="删除用户"
      okText="删除"
      danger
      saving={remove.isPending}
      onSubmit={({ password }) => remove.run({ id: accounts.map(({ id }) => id), password })}
      onClose={onClose}
    >
      <p>
        将删除 {accounts.map(({ username }) => username).join('、')}
        ，不可恢复。还有文档的用户不能删除。
      </p>
      <Form.Item name="password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
    </FormDialog>
  );
}
