import { App, Button, Drawer, Form, type FormInstance, Space } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { unsavedChangesText } from './unsaved-changes-prompt.ts';

type Props<T extends object> = {
  title: string;
  open: boolean;
  saving: boolean;
  /** Initial values; a later change updates the fields that the user has not touched. */
  values: Partial<T>;
  onSubmit: (values: T) => void;
  onClose: () => void;
  children: ReactNode;
  width?: number | string;
};

/** Form in a drawer. Closing it with unsaved input asks for confirmation. */
export function FormDrawer<T extends object>(props: Props<T>) {
  const { title, open, saving, onClose, width = 480 } = props;
  // Distinguishes fields with the same name in several forms of a screen.
  const id = useId();
  const { modal } = App.useApp();
  const [form] = Form.useForm<T>();
  // A drawer that is reopened during its closing animation must show a new form.
  const [{ wasOpen, openCount }, setOpened] = useState({ wasOpen: open, openCount: 0 });
  if (open !== wasOpen) setOpened({ wasOpen: open, openCount: open ? openCount + 1 : openCount });
  const closeAfterConfirmation = () => {
    if (!form.isFieldsTouched()) return onClose();
    modal.confirm({ ...unsavedChangesText, onOk: onClose });
  };
  return (
    <Drawer
      title={title}
      open={open}
      onClose={closeAfterConfirmation}
      size={width}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      destroyOnHidden
      footer={
        <Space style={{ display: 'flex', justifyContent: 'flex-end' }}>
          <Button onClick={closeAfterConfirmation}>取消</Button>
          <Button type="primary" htmlType="submit" form={id} loading={saving}>
            保存
          </Button>
        </Space>
      }
    >
      <DrawerForm key={openCount} {...props} id={id} form={form} />
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
  // Only setFields can set a value without marking the field as touched. Touched fields keep the typed value.
  useEffect(() => {
    const fields = Object.entries(values)
      .filter(([name]) => !form.isFieldTouched(name as never))
      .map(([name, value]) => ({ name, value, touched: false }));
    form.setFields(fields as never);
  }, [form, values]);
  return (
    <Form<T> form={form} name={id} layout="vertical" onFinish={onSubmit} scrollToFirstError>
      {children}
    </Form>
  );
}
