import { App, ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { type ReactNode, useMemo } from 'react';
import { usePermissionNames } from '#modules/account/web/session-store.ts';
import { useAdminTheme } from '#platform/web/admin/antd-theme.ts';
import { PermissionContext } from '#platform/web/admin/permission.tsx';
import { failureTextOf } from '#platform/web/api.ts';
import { pageNonce } from '#platform/web/nonce.ts';
import { MessagesContext } from '#platform/web/use-action.ts';

export function AdminProviders({ children }: { children: ReactNode }) {
  return (
    <ConfigProvider
      locale={zhCN}
      theme={useAdminTheme()}
      csp={{ nonce: pageNonce() }}
      button={{ autoInsertSpace: false }}
    >
      <App message={{ maxCount: 3 }}>
        <PermissionContext value={usePermissionNames()}>
          <AntdMessages>{children}</AntdMessages>
        </PermissionContext>
      </App>
    </ConfigProvider>
  );
}

/** Reports results as antd messages instead of toasts. */
function AntdMessages({ children }: { children: ReactNode }) {
  const { message } = App.useApp();
  const messages = useMemo(
    () => ({
      success: (text: string) => void message.success(text),
      failure: (error: unknown, fallback: string) => {
        const text = failureTextOf(error, fallback);
        if (text) message.error(text);
      },
    }),
    [message],
  );
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}
