import { Button, Drawer, Form, type FormInstance, Space } from 'antd';
import { type ReactNode, useEffect } from 'react';

type Props<T extends object> = {
  title: string;
  open: boolean;
  saving: boolean;
  /** What the form shows when it opens. */
  values: Partial<T>;
  onSubmit: (values: T) => void;
  onClose: () => void;
  children: ReactNode;
  width?: number | string;
  form?: FormInstance<T>;
};

/** A form at the right edge; Enter submits, Escape and the mask close it. */
export function FormDrawer<T extends object>(props: Props<T>) {
  const { title, open, saving, values, onSubmit, onClose, children, width = 480 } = props;
  const [own] = Form.useForm<T>(props.form);
  useEffect(() => {
    if (!open) return;
    own.resetFields();
    own.setFieldsValue(values as never);
  }, [open, own, values]);
  return (
    <Drawer
      title={title}
      open={open}
      onClose={onClose}
      size={width}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      forceRender
      footer={
        <Space style={{ display: 'flex', justifyContent: 'flex-end' }}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" loading={saving} onClick={own.submit}>
            保存
          </Button>
        </Space>
      }
    >
      <Form<T> form={own} layout="vertical" onFinish={onSubmit} scrollToFirstError>
        {children}
        {/* Lets Enter submit; the visible button stands in the footer. */}
        <button type="submit" hidden />
      </Form>
    </Drawer>
  );
}
