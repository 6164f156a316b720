import { DatePicker, Form, Input } from 'antd';
import type { Dayjs } from 'dayjs';
import { FormDialog } from '#platform/web/admin/form-dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Account, accountApi } from '../../manage-accounts.contract.ts';

type Values = { reason: string; until?: Dayjs | null };

/** Bans an account with a reason and an optional end, or lifts the ban. */
export function BanAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const isBanned = account.status === 1;
  const ban = useAction(accountApi.ban, {
    success: isBanned ? '已解除禁用' : '已禁用',
    onDone: onClose,
    invalidates: [accountApi.list],
  });
  const submit = ({ reason = '', until }: Values) =>
    ban.run({
      id: [account.id],
      ban: !isBanned,
      reason,
      until: until ? until.endOf('day').toISOString() : undefined,
    });
  return (
    <FormDialog<Values>
      title={isBanned ? `解除禁用：${account.username}` : `禁用账户：${account.username}`}
      danger={!isBanned}
      saving={ban.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {isBanned ? (
        <p>解除后，该用户可以重新登录。</p>
      ) : (
        <>
          <Form.Item
            name="reason"
            label="原因"
            extra="该用户登录时会看到"
            rules={[{ required: true, whitespace: true, message: '请填写禁用原因' }]}
          >
            <Input.TextArea rows={3} maxLength={255} />
          </Form.Item>
          <Form.Item name="until" label="截止日期" extra="不选则一直禁用">
            <DatePicker style={{ width: '100%' }} />
          </Form.Item>
        </>
      )}
    </FormDialog>
  );
}
