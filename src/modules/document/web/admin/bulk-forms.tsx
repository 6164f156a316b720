import { Form, Input } from 'antd';
import { FormDialog } from '#platform/web/admin/form-dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { documentApi } from '../../document.contract.ts';
import { manageDocumentApi, type ReviewDecision, reviewDecisions } from '../../manage.contract.ts';
import { CategoryField } from './category-field.tsx';

type Props = { ids: number[]; description: string; onDone: () => void; onClose: () => void };

export function CategorizeForm({ ids, description, onDone, onClose }: Props) {
  const change = useAction(manageDocumentApi.categorize, {
    success: '操作成功',
    onDone,
    invalidates: [documentApi.list],
  });
  return (
    <FormDialog<{ category: number }>
      title={`修改分类：${description}`}
      saving={change.isPending}
      onSubmit={({ category }) => change.run({ document_id: ids, category_id: [category] })}
      onClose={onClose}
    >
      <Form.Item
        name="category"
        label="分类"
        extra="原有的分类会被替换，上级分类自动包含"
        rules={[{ required: true, message: '请选择文档分类' }]}
      >
        <CategoryField />
      </Form.Item>
    </FormDialog>
  );
}

const needsReason: readonly ReviewDecision[] = [7];
const mayHaveReason: readonly ReviewDecision[] = [4, 7];

/** The owners read the reason. */
export function ReviewForm({ ids, description, decision, onDone, onClose }: Props & { decision: ReviewDecision }) {
  const check = useAction(manageDocumentApi.check, { success: '审批成功', onDone, invalidates: [documentApi.list] });
  const label = reviewDecisions[decision];
  return (
    <FormDialog<{ reason?: string }>
      title={`${label}：${description}`}
      danger={mayHaveReason.includes(decision)}
      saving={check.isPending}
      onSubmit={({ reason = '' }) => check.run({ id: ids, status: decision, reason })}
      onClose={onClose}
    >
      {mayHaveReason.includes(decision) ? (
        <Form.Item
          name="reason"
          label="原因"
          extra="上传者会看到"
          rules={[
            {
              required: needsReason.includes(decision),
              whitespace: true,
              message: '请填写原因',
            },
          ]}
        >
          <Input.TextArea rows={3} maxLength={255} showCount />
        </Form.Item>
      ) : (
        <p>
          确定要将{description}设为“{label}”吗？
        </p>
      )}
    </FormDialog>
  );
}
