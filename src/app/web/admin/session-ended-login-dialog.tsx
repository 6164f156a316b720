import { useQueryClient } from '@tanstack/react-query';
import { Button, Modal } from 'antd';
import { useEffect } from 'react';
import { LoginForm } from '#modules/account/web/login-form.tsx';
import { type EndedSession, useEndedSession, useSession } from '#modules/account/web/session-store.ts';

/** Above the open drawers and dialogs of the screen. */
const Z_INDEX = 1900;

/** Opens over a screen whose session has ended, so that typed text is not lost. */
export function SessionEndedLoginDialog({ ended }: { ended: EndedSession }) {
  const cache = useQueryClient();
  // The login may also have happened in another tab.
  useEffect(
    () => () => {
      if (useSession.getState().token) void cache.invalidateQueries();
    },
    [cache],
  );
  const abandonSession = () => useEndedSession.setState({ ended: null });
  return (
    <Modal
      open
      title="登录已失效，请重新登录"
      closable={false}
      keyboard={false}
      maskClosable={false}
      footer={null}
      width={400}
      zIndex={Z_INDEX}
    >
      <p style={{ marginBottom: 16 }}>登录后可以继续，已填写的内容不会丢失。</p>
      <LoginForm
        onDone={({ id }) => {
          // Another user must not see the screen of the first.
          if (id !== ended.userId) window.location.assign('/admin');
        }}
      />
      <Button type="link" block onClick={abandonSession}>
        放弃并返回首页
      </Button>
    </Modal>
  );
}
