import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { Document } from '#modules/document/document.contract.ts';
import { FindContext, firstFrom, showHit, useFindInDocument } from './find.ts';
import { FindPill } from './find-pill.tsx';
import { FlowView } from './flow/flow-view.tsx';
import { PagedView } from './paged/paged-view.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { ReaderBar } from './reader-bar.tsx';
import {
  createReaderStore,
  type Layout,
  type Place,
  type Reader,
  ReaderContext,
  type Reading,
} from './reader-store.ts';
import { SheetView } from './sheet/sheet-view.tsx';
import { SidePanel } from './side-panel.tsx';
import { useAddress } from './use-address.ts';
import { useBars } from './use-bars.ts';
import { useKeys } from './use-keys.ts';

const ShareDialog = lazy(() => import('./panels/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })));
const PrintDialog = lazy(() => import('./panels/print-dialog.tsx').then((module) => ({ default: module.PrintDialog })));

/** How each kind of document is shown; every view puts its `goTo` into the reader's `view`. */
const views: Record<string, () => ReactNode> = {
  pages: () => <PagedView />,
  flow: () => <FlowView />,
  sheet: () => <SheetView />,
};

type Props = {
  document: Pick<Document, 'id' | 'title'>;
  viewer: number;
  layout: Layout;
  /** It is known who reads and how much they may. */
  isSettled: boolean;
  first: Reading;
  isEmbedded?: boolean;
  /** Words to look for on arrival. */
  wd: string;
  /** Where this account stopped reading last time. */
  start: Place | null;
  report: (page: number, offset: number) => void;
  /** Where the bar leads back to. */
  back: string;
  /** What else the bar offers: the download. */
  actions?: ReactNode;
  children?: ReactNode;
};

/** Bars and panels around a document. `children` follow its last page. */
export function ReaderFrame(props: Props) {
  const { document, viewer, layout, first, isEmbedded = false, wd, start, report } = props;
  const [store] = useState(() => createReaderStore({ page: first.page[0]?.page ?? 1, wd }));
  const view = useRef<Reader['view']['current']>(null);
  const place = useRef<Place>(null);
  const { id, title } = document;
  const reader = useMemo<Reader>(
    () => ({ id, title, viewer, layout, first, isEmbedded, store, view, report, place }),
    [id, title, viewer, layout, first, isEmbedded, store, report],
  );
  const find = useFindInDocument(reader);
  useAddress(reader, start, props.isSettled);
  useKeys(reader);
  // Said here, not found out by `:has()`: that would look through the page with every change of it.
  useEffect(() => {
    const { dataset } = window.document.documentElement;
    dataset.reading = '';
    return () => {
      delete dataset.reading;
    };
  }, []);
  useBars(reader);
  useArrival(reader, find, wd);
  return (
    <ReaderContext value={reader}>
      <FindContext value={find}>
        <div data-reader="" data-embedded={isEmbedded || undefined} className="bg-sunken">
          <ReaderBar back={props.back} actions={props.actions} />
          <div className="flex items-start">
            <SidePanel />
            <div className="min-w-0 flex-1">
              {(views[layout.view] ?? views.pages)?.()}
              {props.children}
            </div>
          </div>
          <PhoneBar actions={props.actions} />
        </div>
        <FindPill />
        <Dialogs reader={reader} />
      </FindContext>
    </ReaderContext>
  );
}

/** Whoever comes with words to look for is led to the first of them. */
function useArrival(reader: Reader, find: ReturnType<typeof useFindInDocument>, wd: string) {
  const isWaiting = useRef(wd !== '');
  useEffect(() => {
    if (!isWaiting.current || find.status !== 'found') return;
    isWaiting.current = false;
    if (find.total > 0) showHit(reader, find, firstFrom(find.hits, reader.store.getState().page));
  }, [reader, find]);
}

function Dialogs({ reader: { store } }: { reader: Reader }) {
  const [shown, setShown] = useState({ isShared: false, isPrinted: false });
  useEffect(() => store.subscribe(({ isShared, isPrinted }) => setShown({ isShared, isPrinted })), [store]);
  return (
    <Suspense fallback={null}>
      {shown.isShared ? <ShareDialog onClose={() => store.setState({ isShared: false })} /> : null}
      {shown.isPrinted ? <PrintDialog onClose={() => store.setState({ isPrinted: false })} /> : null}
    </Suspense>
  );
}
