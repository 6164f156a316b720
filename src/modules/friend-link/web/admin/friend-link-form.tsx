import { Form, Input } from 'antd';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { EnableField, SortField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { type FriendLink, friendLinkApi } from '../../friend-link.contract.ts';

const emptyValues = { title: '', link: '', description: '', sort: 0, enable: true };

export function FriendLinkForm(props: { record: Partial<FriendLink> | null; onClose: () => void }) {
  const { create, update, list } = friendLinkApi;
  const form = useRecordForm({ create, update, invalidates: [list], noun: '友链', newValues: emptyValues, ...props });
  return (
    <FormDrawer {...form}>
      <Form.Item name="title" label="名称" rules={[{ required: true, whitespace: true, message: '请输入名称' }]}>
        <Input maxLength={64} showCount />
      </Form.Item>
      <Form.Item
        name="link"
        label="地址"
        rules={[
          {
            required: true,
            pattern: /^https?:\/\/\S+$/i,
            message: '请输入友链地址，以 http:// 或 https:// 开头',
          },
        ]}
      >
        <Input maxLength={255} placeholder="https://" />
      </Form.Item>
      <SortField />
      <EnableField />
      <Form.Item name="description" label="描述">
        <Input.TextArea rows={3} maxLength={1000} />
      </Form.Item>
    </FormDrawer>
  );
}
