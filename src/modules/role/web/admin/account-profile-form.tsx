import { Form, Input } from 'antd';
import { useMemo } from 'react';
import { userApi } from '#modules/account/account.contract.ts';
import { maxLengthOf } from '#platform/contract/max-length.ts';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Account, accountApi } from '../../manage-accounts.contract.ts';

const PROFILE_FIELDS = ['email', 'realname', 'identity', 'mobile', 'address', 'signature'] as const;
type Values = Record<(typeof PROFILE_FIELDS)[number], string>;

export function AccountProfileForm({ account, onClose }: { account?: Account; onClose: () => void }) {
  const values = useMemo(
    () => Object.fromEntries(PROFILE_FIELDS.map((key) => [key, account?.[key] ?? ''])) as Values,
    [account],
  );
  const update = useAction(userApi.updateProfile, {
    success: '修改成功',
    onDone: onClose,
    invalidates: [accountApi.list],
  });
  return (
    <FormDrawer<Values>
      title={`编辑资料：${account?.username ?? ''}`}
      open={account !== undefined}
      values={values}
      saving={update.isPending}
      onClose={onClose}
      onSubmit={(submittedValues) => account && update.run({ ...submittedValues, id: account.id })}
    >
      <Form.Item
        name="email"
        label="联系邮箱"
        rules={[
          { required: true, message: '请输入电子邮箱' },
          { type: 'email', message: '请输入正确的电子邮箱' },
        ]}
      >
        <Input maxLength={maxLengthOf(userApi.updateProfile, 'email')} />
      </Form.Item>
      <Form.Item name="realname" label="真实姓名">
        <Input maxLength={maxLengthOf(userApi.updateProfile, 'realname')} />
      </Form.Item>
      <Form.Item name="identity" label="身份证号">
        <Input maxLength={maxLengthOf(userApi.updateProfile, 'identity')} />
      </Form.Item>
      <Form.Item name="mobile" label="联系电话">
        <Input maxLength={maxLengthOf(userApi.updateProfile, 'mobile')} />
      </Form.Item>
      <Form.Item name="address" label="联系地址">
        <Input.TextArea rows={3} maxLength={maxLengthOf(userApi.updateProfile, 'address')} />
      </Form.Item>
      <Form.Item name="signature" label="个性签名">
        <Input.TextArea rows={3} maxLength={maxLengthOf(userApi.updateProfile, 'signature')} />
      </Form.Item>
    </FormDrawer>
  );
}
