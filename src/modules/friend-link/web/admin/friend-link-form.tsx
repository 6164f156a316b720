import { Form, Input } from 'antd';
import { useMemo } from 'react';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { EnableField, SortField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useSaveMutations } from '#platform/web/admin/use-endpoint-mutation.ts';
import { type FriendLink, friendLinkApi } from '../../friend-link.contract.ts';

const emptyValues = { title: '', link: '', description: '', sort: 0, enable: true };
type Values = typeof emptyValues;

export function FriendLinkForm(props: { editing: Partial<FriendLink> | null; onClose: () => void }) {
  const { editing, onClose } = props;
  const values = useMemo<Values>(() => ({ ...emptyValues, ...editing }), [editing]);
  const { create, update, saving } = useSaveMutations(friendLinkApi, onClose, [friendLinkApi.list]);
  return (
    <FormDrawer<Values>
      title={editing?.id ? '编辑友链' : '新增友链'}
      open={editing !== null}
      values={values}
      saving={saving}
      onClose={onClose}
      onSubmit={(input) => (editing?.id ? update({ ...input, id: editing.id }) : create(input))}
    >
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
