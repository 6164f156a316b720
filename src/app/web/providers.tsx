import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { removeQueriesOfOtherUsers } from '#modules/account/web/remove-queries-of-other-users.ts';
import { syncSessionAcrossTabs } from '#modules/account/web/session-store.ts';
import { ConnectionNotice } from '#platform/web/connection-notice.tsx';
import { syncTheme, trackDeviceWidth } from '#platform/web/device.ts';
import { LoadingBar } from '#platform/web/loading-bar.tsx';
import { Toaster } from '#platform/web/toaster.tsx';
import { SettingsAndCategoriesProvider, type SiteData } from './settings-and-categories-provider.tsx';

export function Providers({ initial, children }: { initial?: SiteData; children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 10_000 } } }));
  useEffect(() => {
    const stops = [trackDeviceWidth(), syncTheme(), syncSessionAcrossTabs(), removeQueriesOfOtherUsers(client)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  return (
    <QueryClientProvider client={client}>
      <SettingsAndCategoriesProvider initial={initial}>
        <LoadingBar />
        {children}
        <ConnectionNotice />
        <Toaster />
      </SettingsAndCategoriesProvider>
    </QueryClientProvider>
  );
}
