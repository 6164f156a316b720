import { Form, Input, Modal } from 'antd';
import { useId } from 'react';
import { useEndpointMutation } from '#platform/web/admin/use-endpoint-mutation.ts';
import { commentApi } from '../../comment.contract.ts';

/** Rejects comments with a reason that is sent to their authors. */
export function RejectCommentsForm({
  ids,
  onDone,
  onClose,
}: {
  ids: number[];
  onDone: () => void;
  onClose: () => void;
}) {
  const name = useId();
  const [form] = Form.useForm<{ reason?: string }>();
  const check = useEndpointMutation(commentApi.check, { success: '审批成功', onDone }, [commentApi.list]);
  return (
    <Modal
      title={`审核拒绝：${ids.length} 条评论`}
      open
      onCancel={onClose}
      onOk={form.submit}
      okText="确定"
      cancelText="取消"
      okButtonProps={{ loading: check.isPending, danger: true }}
    >
      <Form
        form={form}
        name={name}
        layout="vertical"
        onFinish={({ reason = '' }) => check.mutate({ id: ids, status: 2, reason })}
      >
        <Form.Item name="reason" label="原因" extra="评论人会看到；可以不填">
          <Input.TextArea rows={3} maxLength={255} showCount />
        </Form.Item>
      </Form>
    </Modal>
  );
}
