import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback } from 'react';
import { useRevalidator } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { type Document, documentStatus } from '#modules/document/document.contract.ts';
import { StateBanner } from '#modules/document/web/state-banner.tsx';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { queryKeyOf } from '#platform/web/api.ts';

const OwnerNotices = lazy(() => import('./owner-notices.tsx').then((module) => ({ default: module.OwnerNotices })));

const FailedFilePanel = lazy(() =>
  import('#modules/upload/web/failed-file-panel.tsx').then((module) => ({
    default: module.FailedFilePanel,
  })),
);

const isConvertedForOwner = ({ status, pages, ready_pages }: Document) =>
  status === documentStatus.converted || (status === documentStatus.underReview && pages > 0 && ready_pages === pages);

/** The state of a document, with the form that replaces or unlocks a file that cannot be converted, and the owner's notices. */
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
      {isOwner && isConvertedForOwner(document) ? (
        <Suspense>
          <OwnerNotices documentId={document.id} />
        </Suspense>
      ) : null}
    </>
  );
}
