import { App, Button, Drawer, Form, type FormInstance, Space } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { leaveWords } from './unsaved-changes-prompt.ts';

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

/** A form at the right edge; Enter submits, Escape and the mask close it unless something was typed. */
export function FormDrawer<T extends object>(props: Props<T>) {
  const { title, open, saving, onClose, width = 480 } = props;
  // Several forms of a screen may have a field of one name; ids must still differ.
  const id = useId();
  const { modal } = App.useApp();
  const [form] = Form.useForm<T>();
  // Opened again while it still closes it is another form, with nothing typed.
  const [{ wasOpen, turn }, setOpened] = useState({ wasOpen: open, turn: 0 });
  if (open !== wasOpen) setOpened({ wasOpen: open, turn: open ? turn + 1 : turn });
  const leave = () => {
    if (!form.isFieldsTouched()) return onClose();
    modal.confirm({ ...leaveWords, onOk: onClose });
  };
  return (
    <Drawer
      title={title}
      open={open}
      onClose={leave}
      size={width}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      destroyOnHidden
      footer={
        <Space style={{ display: 'flex', justifyContent: 'flex-end' }}>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" htmlType="submit" form={id} loading={saving}>
            保存
          </Button>
        </Space>
      }
    >
      <DrawerForm key={turn} {...props} id={id} form={form} />
    </Drawer>
  );
}

function DrawerForm<T extends object>({
  id,
  form,
  values,
  onSubmit,
  children,
}: Props<T> & { id: string; form: FormInstance<T> }) {
  // Set one by one: whatever else sets a value counts as typed. What was typed stays.
  useEffect(() => {
    const given = Object.entries(values)
      .filter(([name]) => !form.isFieldTouched(name as never))
      .map(([name, value]) => ({ name, value, touched: false }));
    form.setFields(given as never);
  }, [form, values]);
  return (
    <Form<T> form={form} name={id} layout="vertical" onFinish={onSubmit} scrollToFirstError>
      {children}
    </Form>
  );
}
