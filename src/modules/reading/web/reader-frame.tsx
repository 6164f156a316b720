import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { Document } from '#modules/document/document.contract.ts';
import { FlowView } from './flow/flow-view.tsx';
import { PagedView } from './paged/paged-view.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { ReaderBar } from './reader-bar.tsx';
import type { DialogName } from './reader-state.ts';
import {
  createReaderStore,
  type Reader,
  ReaderContext,
  type ReaderLayout,
  type Reading,
  type ReadingPosition,
  useReader,
  useReaderState,
} from './reader-store.ts';
import { SidePanel } from './side-panel.tsx';
import { useBarVisibility } from './use-bar-visibility.ts';
import { FindContext, firstHitIndexFrom, showHit, useFindInDocument } from './use-find-in-document.ts';
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts';
import { useUrlPosition } from './use-url-position.ts';

const FindNavigation = lazy(() =>
  import('./find-navigation.tsx').then((module) => ({ default: module.FindNavigation })),
);

const Watermark = lazy(() =>
  import('#modules/watermark/web/watermark.tsx').then((module) => ({ default: module.Watermark })),
);

const dialogs: Record<DialogName, ComponentType<{ onClose: () => void }>> = {
  share: lazy(() => import('./panels/share-dialog.tsx').then((module) => ({ default: module.ShareDialog }))),
  print: lazy(() => import('./panels/print-dialog.tsx').then((module) => ({ default: module.PrintDialog }))),
  more: lazy(() => import('./panels/more-menu.tsx').then((module) => ({ default: module.MoreSheet }))),
};

const LazySheetView = lazy(() => import('./sheet/sheet-view.tsx').then((module) => ({ default: module.SheetView })));

const SheetViewOnDemand = () => (
  <Suspense>
    <LazySheetView />
  </Suspense>
);

/** Every view registers itself in the reader's `view`. */
const views: Record<string, ComponentType> = { pages: PagedView, flow: FlowView, sheet: SheetViewOnDemand };

type Props = {
  document: Pick<Document, 'id' | 'title'>;
  viewer: number;
  layout: ReaderLayout;
  /** The viewer and the number of readable pages are final. */
  isSettled: boolean;
  first: Reading;
  isEmbedded?: boolean;
  /** Text to find on arrival. */
  wd: string;
  /** Position at the end of the last visit. */
  start: ReadingPosition | null;
  report: (page: number, offset: number) => void;
  /** Target of the back link. */
  back: string;
  /** Further toolbar buttons. */
  actions?: ReactNode;
  children?: ReactNode;
};

/** `children` follow the last page. */
export function ReaderFrame(props: Props) {
  const { document, viewer, layout, first, isEmbedded = false, wd, start, report } = props;
  const [store] = useState(() => createReaderStore({ page: first.page[0]?.page ?? 1, wd }));
  const view = useRef<Reader['view']['current']>(null);
  const position = useRef<ReadingPosition>(null);
  const { id, title } = document;
  const View = views[layout.view] ?? PagedView;
  const reader = useMemo<Reader>(
    () => ({ id, title, viewer, layout, first, isEmbedded, store, view, report, position }),
    [id, title, viewer, layout, first, isEmbedded, store, report],
  );
  const find = useFindInDocument(reader);
  useUrlPosition(reader, start, props.isSettled);
  useKeyboardShortcuts(reader);
  // Set here because a `:has()` selector would be re-evaluated on every change of the page.
  useEffect(() => {
    const { dataset } = window.document.documentElement;
    dataset.reading = '';
    return () => {
      delete dataset.reading;
    };
  }, []);
  // A mark that is drawn into page images is not in texts and tables.
  const isMarkShown = layout.watermark === 'overlay' || (layout.watermark === 'drawn' && layout.view !== 'pages');
  useBarVisibility(reader);
  useInitialHit(reader, find, wd);
  return (
    <ReaderContext value={reader}>
      <FindContext value={find}>
        <div data-reader="" data-embedded={isEmbedded || undefined} className="bg-sunken">
          <ReaderBar back={props.back} actions={props.actions} />
          <div className="flex items-start">
            <SidePanel />
            <div className={isMarkShown ? 'relative min-w-0 flex-1' : 'min-w-0 flex-1'}>
              <View />
              {props.children}
              {isMarkShown ? (
                <Suspense>
                  <Watermark documentId={id} viewer={viewer} />
                </Suspense>
              ) : null}
            </div>
          </div>
          <PhoneBar actions={props.actions} />
        </div>
        {find.status === 'found' ? (
          <Suspense>
            <FindNavigation />
          </Suspense>
        ) : null}
        <ReaderDialog />
      </FindContext>
    </ReaderContext>
  );
}

/** Shows the first hit if the URL contains a search text. */
function useInitialHit(reader: Reader, find: ReturnType<typeof useFindInDocument>, wd: string) {
  const isPending = useRef(wd !== '');
  useEffect(() => {
    if (!isPending.current || find.status !== 'found') return;
    isPending.current = false;
    if (find.total > 0) showHit(reader, find, firstHitIndexFrom(find.hits, reader.store.getState().page));
  }, [reader, find]);
}

function ReaderDialog() {
  const { store } = useReader();
  const dialog = useReaderState((state) => state.dialog);
  if (!dialog) return null;
  const Dialog = dialogs[dialog];
  return (
    <Suspense fallback={null}>
      <Dialog onClose={() => store.dispatch({ type: 'dialogClosed', dialog })} />
    </Suspense>
  );
}
