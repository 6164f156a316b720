import { Form, Input, Radio } from 'antd';
import { documentApi } from '#modules/document/document.contract.ts';
import { manageDocumentApi } from '#modules/document/manage.contract.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { FormDialog } from '#platform/web/admin/form-dialog.tsx';
import { useMayCall } from '#platform/web/admin/permission.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Report, type ReportAction, reportActions, reportApi } from '../../report.contract.ts';

/** Endpoints for which the handler needs permission, by report action. */
const actionCalls: Record<number, readonly Endpoint[]> = {
  0: [],
  1: [manageDocumentApi.check],
  2: [documentApi.remove],
};

type Values = { action: ReportAction; remark?: string };

/** Selects the action on the reported documents and the reply to the reporters. */
export function HandleReportsForm({
  rows,
  onDone,
  onClose,
}: {
  rows: Report[];
  onDone: () => void;
  onClose: () => void;
}) {
  const mayCall = useMayCall();
  const [form] = Form.useForm<Values>();
  const action = Form.useWatch('action', form) ?? 0;
  const handle = useAction(reportApi.handle, { success: '更新成功', onDone, invalidates: [reportApi.list] });
  const [first] = rows;
  const subject = rows.length === 1 ? `《${first?.document_title}》` : `选中的 ${rows.length} 条举报`;
  return (
    <FormDialog<Values>
      title={`处理举报：${subject}`}
      danger={action > 0}
      saving={handle.isPending}
      form={form}
      initialValues={{ action: 0 }}
      onSubmit={(values) =>
        handle.run({ id: rows.map(({ id }) => id), action: values.action, remark: values.remark ?? '' })
      }
      onClose={onClose}
    >
      <Form.Item
        name="action"
        label="处理方式"
        extra={
          action > 0 ? '这些文档的其它举报会一并了结，上传者和举报人都会收到通知。' : '文档保持原样，举报人会收到通知。'
        }
      >
        <Radio.Group
          options={Object.entries(reportActions)
            .map(([value, label]) => ({ value: Number(value), label }))
            .filter(({ value }) => actionCalls[value]?.every(mayCall))}
        />
      </Form.Item>
      <Form.Item name="remark" label="答复" extra="举报人和上传者会看到">
        <Input.TextArea rows={3} maxLength={255} showCount />
      </Form.Item>
    </FormDialog>
  );
}
