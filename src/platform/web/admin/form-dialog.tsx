import { Form, type FormInstance, Modal } from 'antd';
import { type ReactNode, useId } from 'react';

type Props<T extends object> = {
  title: string;
  okText?: string;
  /** Shows the submit button in the warning colour. */
  danger?: boolean;
  saving: boolean;
  /** Set it to watch the fields while the user types. */
  form?: FormInstance<T>;
  initialValues?: Partial<T>;
  onSubmit: (values: T) => void;
  onClose: () => void;
  children: ReactNode;
};

/** Short form in a dialog. Mount it to open it. */
export function FormDialog<T extends object>(props: Props<T>) {
  const { title, okText = '确定', danger = false, saving, initialValues, onSubmit, onClose, children } = props;
  // Distinguishes fields with the same name in several forms of a screen.
  const id = useId();
  const [form] = Form.useForm<T>(props.form);
  return (
    <Modal
      title={title}
      open
      onCancel={onClose}
      onOk={form.submit}
      okText={okText}
      cancelText="取消"
      okButtonProps={{ loading: saving, danger }}
    >
      <Form<T> form={form} name={id} layout="vertical" initialValues={initialValues} onFinish={onSubmit}>
        {children}
      </Form>
    </Modal>
  );
}
