import { Button, Drawer, Form, Space } from 'antd';
import { type ReactNode, useEffect, useId } from 'react';

type Props<T extends object> = {
  title: string;
  open: boolean;
  saving: boolean;
  /** What the form shows when it opens, and again when it changes. */
  values: Partial<T>;
  onSubmit: (values: T) => void;
  onClose: () => void;
  children: ReactNode;
  width?: number | string;
};

/** A form at the right edge; Enter submits, Escape and the mask close it. */
export function FormDrawer<T extends object>(props: Props<T>) {
  const { title, open, saving, onClose, width = 480 } = props;
  // Several forms of a screen may have a field of one name; ids must still differ.
  const id = useId();
  return (
    <Drawer
      title={title}
      open={open}
      onClose={onClose}
      size={width}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      destroyOnHidden
      footer={
        <Space style={{ display: 'flex', justifyContent: 'flex-end' }}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" htmlType="submit" form={id} loading={saving}>
            保存
          </Button>
        </Space>
      }
    >
      <DrawerForm {...props} id={id} />
    </Drawer>
  );
}

function DrawerForm<T extends object>({
  id,
  values,
  onSubmit,
  children,
}: Props<T> & { id: string }) {
  const [form] = Form.useForm<T>();
  useEffect(() => form.setFieldsValue(values as never), [form, values]);
  return (
    <Form<T> form={form} name={id} layout="vertical" onFinish={onSubmit} scrollToFirstError>
      {children}
    </Form>
  );
}
