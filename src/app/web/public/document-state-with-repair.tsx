import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback } from 'react';
import { useRevalidator } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { type Document, documentStatus } from '#modules/document/document.contract.ts';
import { StateBanner } from '#modules/document/web/state-banner.tsx';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { queryKeyOf } from '#platform/web/api.ts';

const RecognitionNotice = lazy(() =>
  import('#modules/recognition/web/recognition-notice.tsx').then((module) => ({
    default: module.RecognitionNotice,
  })),
);

const ReplacedFontsNotice = lazy(() =>
  import('#modules/document/web/replaced-fonts-notice.tsx').then((module) => ({
    default: module.ReplacedFontsNotice,
  })),
);

const NearCopiesNotice = lazy(() =>
  import('#modules/near-copy/web/near-copies-notice.tsx').then((module) => ({
    default: module.NearCopiesNotice,
  })),
);

const FailedFilePanel = lazy(() =>
  import('#modules/upload/web/failed-file-panel.tsx').then((module) => ({
    default: module.FailedFilePanel,
  })),
);

/**
 * The state of a document, with the form that replaces or unlocks a file that cannot be converted. The owner also learns how
 * many scanned pages are recognized, which fonts were replaced, and which other documents are nearly the same.
 */
export function DocumentStateWithRepair({ document }: { document: Document }) {
  const { revalidate } = useRevalidator();
  const client = useQueryClient();
  const reload = useCallback(() => {
    // The browser of a logged-in reader has cached the layout from before the conversion.
    void client.invalidateQueries({ queryKey: queryKeyOf(readingApi.layout) });
    void revalidate();
  }, [client, revalidate]);
  const isOwner = useUser()?.id === document.user_id;
  return (
    <>
      <StateBanner
        document={document}
        onReadable={reload}
        failurePanel={(encryption) => (
          <Suspense>
            <FailedFilePanel document={document} encryption={encryption} />
          </Suspense>
        )}
      />
      {isOwner && document.status === documentStatus.converted ? (
        <Suspense>
          <div className="grid gap-2 empty:hidden">
            <RecognitionNotice documentId={document.id} />
            <ReplacedFontsNotice documentId={document.id} />
            <NearCopiesNotice documentId={document.id} />
          </div>
        </Suspense>
      ) : null}
    </>
  );
}
