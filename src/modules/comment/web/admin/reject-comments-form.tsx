import { Form, Input } from 'antd';
import { FormDialog } from '#platform/web/admin/form-dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { commentApi } from '../../comment.contract.ts';

export function RejectCommentsForm({
  ids,
  onDone,
  onClose,
}: {
  ids: number[];
  onDone: () => void;
  onClose: () => void;
}) {
  const check = useAction(commentApi.check, { success: '审批成功', onDone, invalidates: [commentApi.list] });
  return (
    <FormDialog<{ reason?: string }>
      title={`审核拒绝：${ids.length} 条评论`}
      danger
      saving={check.isPending}
      onSubmit={({ reason = '' }) => check.run({ id: ids, status: 2, reason })}
      onClose={onClose}
    >
      <Form.Item name="reason" label="原因" extra="评论人会看到；可以不填">
        <Input.TextArea rows={3} maxLength={255} showCount />
      </Form.Item>
    </FormDialog>
  );
}
