import { Form, Input, Switch } from 'antd';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { IntegerInput } from '#platform/web/admin/integer-input.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { type Role, roleApi } from '../../role.contract.ts';

const NEW_ROLE = {
  title: '',
  description: '',
  sort: 0,
  is_default: false,
  enable_upload: true,
  enable_document_review: false,
  enable_comment: true,
  enable_comment_approval: false,
  enable_download: true,
  max_preview: 0,
};

const flags: [name: keyof typeof NEW_ROLE, label: string, extra?: string][] = [
  ['enable_upload', '允许上传文档'],
  ['enable_document_review', '上传的文档需要审核'],
  ['enable_comment', '允许评论'],
  ['enable_comment_approval', '评论需要审核'],
  ['enable_download', '允许下载'],
  ['is_default', '默认角色', '新注册的用户得到它；设为默认后，原来的默认角色自动取消'],
];

export function RoleForm(props: { record: Partial<Role> | null; onClose: () => void }) {
  const { create, update, list } = roleApi;
  const form = useRecordForm({ create, update, invalidates: [list], noun: '角色', newValues: NEW_ROLE, ...props });
  return (
    <FormDrawer {...form}>
      <Form.Item name="title" label="名称" rules={[{ required: true, whitespace: true, message: '请输入名称' }]}>
        <Input maxLength={64} />
      </Form.Item>
      {flags.map(([name, label, extra]) => (
        <Form.Item key={name} name={name} label={label} extra={extra} valuePropName="checked">
          <Switch />
        </Form.Item>
      ))}
      <Form.Item
        name="max_preview"
        label="可阅读页数"
        extra="没有购买的文档最多能读的页数，不超过系统和文档的限制；0 为不另外限制，有几个角色时以最宽的为准"
      >
        <IntegerInput min={0} max={2147483647} />
      </Form.Item>
      <Form.Item name="sort" label="排序" tooltip="数值越大越靠前">
        <IntegerInput min={0} max={2147483647} />
      </Form.Item>
      <Form.Item name="description" label="描述">
        <Input.TextArea rows={3} maxLength={255} />
      </Form.Item>
    </FormDrawer>
  );
}
