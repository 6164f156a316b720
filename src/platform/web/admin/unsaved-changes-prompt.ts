import { App } from 'antd';
import { useCallback, useEffect, useRef } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';

type HasUnsavedInput = () => boolean;

export const unsavedChangesText = {
  title: '放弃修改吗？',
  content: '填写的内容还没有保存。',
  okText: '放弃',
  cancelText: '继续填写',
};

/** Asks before the user leaves a page with unsaved input. Returns a function that registers a form of the page. */
export function useUnsavedChangesPrompt() {
  const { modal } = App.useApp();
  const forms = useRef(new Set<HasUnsavedInput>());
  const hasUnsavedInput = useCallback(() => [...forms.current].some((each) => each()), []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsavedInput(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    const dialog = modal.confirm({
      ...unsavedChangesText,
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    });
    return () => dialog.destroy();
  }, [blocker, modal]);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (hasUnsavedInput()) event.preventDefault();
      },
      [hasUnsavedInput],
    ),
  );
  return useCallback((form: HasUnsavedInput) => {
    forms.current.add(form);
    return () => {
      forms.current.delete(form);
    };
  }, []);
}
