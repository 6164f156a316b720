import { App, ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import type { ReactNode } from 'react';
import { usePermissionNames } from '#modules/account/web/session-store.ts';
import { useAdminTheme } from '#platform/web/admin/antd-theme.ts';
import { PermissionContext } from '#platform/web/admin/permission.tsx';
import { pageNonce } from '#platform/web/nonce.ts';

/** Contexts of every screen of the back-office, also used in component tests. */
export function AdminProviders({ children }: { children: ReactNode }) {
  return (
    <ConfigProvider
      locale={zhCN}
      theme={useAdminTheme()}
      csp={{ nonce: pageNonce() }}
      button={{ autoInsertSpace: false }}
    >
      <App message={{ maxCount: 3 }}>
        <PermissionContext value={usePermissionNames()}>{children}</PermissionContext>
      </App>
    </ConfigProvider>
  );
}
