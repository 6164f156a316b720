import { Form, Input } from 'antd';
import { useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { FormDialog } from '#platform/web/admin/form-dialog.tsx';
import { IntegerInput } from '#platform/web/admin/integer-input.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { creditApi, MAX_ADJUSTMENT } from '../../credit.contract.ts';

type Values = { amount: number; note: string };
type Props = {
  userId: number;
  username: string;
  balance: number;
  /** Queries that contain the balance. */
  invalidates: Endpoint[];
  onClose: () => void;
};

export function AdjustCreditDialog({ userId, username, balance, invalidates, onClose }: Props) {
  const creditName = useSettings().system.credit_name || '豆';
  // One key for each opening of the dialog, so that a repeated click or a lost answer changes the balance once.
  const [key] = useState(() => crypto.randomUUID());
  const adjust = useAction(creditApi.adjust, { success: '调整成功', onDone: onClose, invalidates });
  return (
    <FormDialog<Values>
      title={`调整${creditName}：${username}`}
      saving={adjust.isPending}
      onSubmit={(values) => adjust.run({ ...values, user_id: userId, key })}
      onClose={onClose}
    >
      <p>当前余额 {balance}</p>
      <Form.Item
        name="amount"
        label="数量"
        extra="正数为增加，负数为扣除"
        rules={[
          { required: true, message: '请输入数量' },
          {
            validator: async (_, amount) => {
              if (amount === 0) throw new Error('数量不能为 0');
            },
          },
        ]}
      >
        <IntegerInput min={-MAX_ADJUSTMENT} max={MAX_ADJUSTMENT} />
      </Form.Item>
      <Form.Item
        name="note"
        label="原因"
        extra="该用户会在明细中看到"
        rules={[{ required: true, whitespace: true, message: '请输入原因' }]}
      >
        <Input.TextArea rows={2} maxLength={255} />
      </Form.Item>
    </FormDialog>
  );
}
