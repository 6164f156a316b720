import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback } from 'react';
import { useRevalidator } from 'react-router';
import type { Document } from '#modules/document/document.contract.ts';
import { StateBanner } from '#modules/document/web/state-banner.tsx';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { queryKeyOf } from '#platform/web/api.ts';

const FailedFilePanel = lazy(() =>
  import('#modules/upload/web/failed-file-panel.tsx').then((module) => ({
    default: module.FailedFilePanel,
  })),
);

/** The state of a document, with the form that replaces or unlocks a file that cannot be converted. */
export function DocumentStateWithRepair({ document }: { document: Document }) {
  const { revalidate } = useRevalidator();
  const client = useQueryClient();
  const reload = useCallback(() => {
    // The browser of a logged-in reader has cached the layout from before the conversion.
    void client.invalidateQueries({ queryKey: queryKeyOf(readingApi.layout) });
    void revalidate();
  }, [client, revalidate]);
  return (
    <StateBanner
      document={document}
      onReadable={reload}
      failurePanel={(encryption) => (
        <Suspense>
          <FailedFilePanel document={document} encryption={encryption} />
        </Suspense>
      )}
    />
  );
}
