import { App } from 'antd';
import { useCallback, useEffect, useRef } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';

type IsTyped = () => boolean;

/** What is asked wherever something typed would be lost. */
export const leaveWords = {
  title: '放弃修改吗？',
  content: '填写的内容还没有保存。',
  okText: '放弃',
  cancelText: '继续填写',
};

/** Asks before a page is left on which something was typed and not saved. Its forms are told to `watch`. */
export function useLeaveQuestion() {
  const { modal } = App.useApp();
  const forms = useRef(new Set<IsTyped>());
  const isTyped = useCallback(() => [...forms.current].some((each) => each()), []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isTyped(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    const question = modal.confirm({
      ...leaveWords,
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    });
    return () => question.destroy();
  }, [blocker, modal]);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isTyped()) event.preventDefault();
      },
      [isTyped],
    ),
  );
  return useCallback((form: IsTyped) => {
    forms.current.add(form);
    return () => {
      forms.current.delete(form);
    };
  }, []);
}
