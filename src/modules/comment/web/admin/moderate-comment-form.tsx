import { Form, Input, Radio } from 'antd';
import { useMemo } from 'react';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type CommentItem, commentApi, commentStatuses, MAX_COMMENT_LENGTH } from '../../comment.contract.ts';

type Values = { content: string; status: 0 | 1 | 2 };

export function ModerateCommentForm({ editing, onClose }: { editing: CommentItem | null; onClose: () => void }) {
  const update = useAction(commentApi.update, { success: '修改成功', onDone: onClose, invalidates: [commentApi.list] });
  const values = useMemo<Partial<Values>>(
    () => (editing ? { content: editing.content, status: editing.status as Values['status'] } : {}),
    [editing],
  );
  return (
    <FormDrawer<Values>
      title={editing ? `${editing.user.username} 的评论` : ''}
      open={editing !== null}
      saving={update.isPending}
      values={values}
      onClose={onClose}
      onSubmit={(values) => editing && update.run({ id: editing.id, ...values })}
    >
      <Form.Item
        name="content"
        label="评论内容"
        rules={[{ required: true, whitespace: true, message: '请输入评论内容' }]}
      >
        <Input.TextArea rows={6} maxLength={MAX_COMMENT_LENGTH} showCount />
      </Form.Item>
      <Form.Item name="status" label="状态">
        <Radio.Group
          options={Object.entries(commentStatuses).map(([value, label]) => ({
            value: Number(value),
            label,
          }))}
        />
      </Form.Item>
    </FormDrawer>
  );
}
