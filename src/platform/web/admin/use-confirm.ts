import { App } from 'antd';

type ConfirmOptions = {
  title?: string;
  /** Shows the confirming button in the warning colour. */
  isDestructive?: boolean;
};

/** Asks for confirmation of a bulk action or of one that cannot be undone. */
export function useConfirm() {
  const { modal } = App.useApp();
  return (
    content: string,
    /** Reports its own success or failure and must not throw; the dialog closes in both cases. */
    onOk: () => Promise<unknown>,
    { title = '温馨提示', isDestructive = true }: ConfirmOptions = {},
  ) =>
    modal.confirm({
      title,
      content,
      okText: '确定',
      cancelText: '取消',
      okButtonProps: { danger: isDestructive },
      onOk,
    });
}
