import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import type { Document } from '#modules/document/document.contract.ts';
import { DownloadButton } from '#modules/download/web/download-button.tsx';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { readingApi } from '../reading.contract.ts';
import { NoScriptPageLinks } from './noscript-page-links.tsx';
import { PreviewEndNotice } from './preview-end-notice.tsx';
import { ReaderFrame } from './reader-frame.tsx';
import type { ReaderLayout, Reading } from './reader-store.ts';
import { useReadingPosition } from './use-reading-position.ts';

type Props = {
  document: Document;
  layout: ReaderLayout;
  first: Reading;
  isEmbedded?: boolean;
};

const POLL_INTERVAL_MS = 4_000;

/** Shows the pages that the viewer may read. */
export function DocumentReader({ document, layout: initial, first, isEmbedded = false }: Props) {
  const [search] = useSearchParams();
  const user = useUser();
  // In a frame on another site no account is used.
  const viewer = isEmbedded ? 0 : (user?.id ?? 0);
  const { data: layout = initial, isPlaceholderData } = useQuery({
    queryKey: [...queryKeyOf(readingApi.layout, { id: document.id }), viewer],
    queryFn: (context) => pollEndpoint(readingApi.layout, { id: document.id }, context),
    // The page is rendered for a visitor; a member's rights are loaded afterwards.
    ...(viewer === 0 ? { initialData: initial } : { placeholderData: initial }),
    refetchInterval: ({ state }) =>
      state.data && state.data.ready_pages < state.data.pages ? POLL_INTERVAL_MS : false,
  });
  const { start, report } = useReadingPosition(document.id, { isOff: isEmbedded });
  const isHydrated = useHydrated();
  const client = useQueryClient();
  // After a purchase all pages become readable.
  const onBought = () => {
    for (const endpoint of Object.values(readingApi)) void client.invalidateQueries({ queryKey: queryKeyOf(endpoint) });
  };
  if (layout.readable === 0) return null;
  const category = document.category.at(-1);
  return (
    <ReaderFrame
      key={document.id}
      document={document}
      viewer={viewer}
      layout={layout}
      isSettled={isHydrated && !isPlaceholderData}
      first={first}
      isEmbedded={isEmbedded}
      wd={search.get('wd')?.slice(0, 100) ?? ''}
      start={start}
      report={report}
      actions={isEmbedded ? null : <DownloadButton document={document} short onBought={onBought} />}
      back={category ? `/category/${category.id}` : '/category'}
    >
      <NoScriptPageLinks id={document.id} layout={layout} first={first} />
      <PreviewEndNotice document={document} layout={layout}>
        {isEmbedded ? null : <DownloadButton document={document} onBought={onBought} />}
      </PreviewEndNotice>
    </ReaderFrame>
  );
}
