import { X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useDevice } from '#platform/web/device.ts';
import { IconButton } from '#platform/web/ui/button.tsx';
import type { PanelName } from './reader-state.ts';
import { type Reader, type ReaderLayout, useReader, useReaderState } from './reader-store.ts';

const OutlinePanel = lazy(() =>
  import('./panels/outline-panel.tsx').then((module) => ({ default: module.OutlinePanel })),
);
const ThumbnailPanel = lazy(() =>
  import('./panels/thumbnail-panel.tsx').then((module) => ({ default: module.ThumbnailPanel })),
);
/** Delay before prefetching, so that the page loads first. */
const PREFETCH_DELAY_MS = 2_000;
const loadFind = () => import('./panels/find-panel.tsx');
const FindPanel = lazy(() => loadFind().then((module) => ({ default: module.FindPanel })));
const FlowTypographyPanel = lazy(() =>
  import('./flow/flow-typography-panel.tsx').then((module) => ({ default: module.FlowTypographyPanel })),
);
const Sheet = lazy(() =>
  import('#platform/web/ui/bottom-sheet.tsx').then((module) => ({ default: module.BottomSheet })),
);

const panels: Record<PanelName, { title: string; render: () => ReactNode }> = {
  outline: { title: '目录', render: () => <OutlinePanel /> },
  thumbnails: { title: '缩略图', render: () => <ThumbnailPanel /> },
  typography: { title: '排版', render: () => <FlowTypographyPanel /> },
  find: { title: '查找', render: () => <FindPanel /> },
};

const hasOutlinePanel = ({ outline, view }: ReaderLayout) => outline.length > 0 || view !== 'pages';

/** Panels that apply to this document. */
const availablePanels = ({ layout }: Reader): PanelName[] => [
  ...(hasOutlinePanel(layout) ? (['outline'] as const) : []),
  ...(layout.view === 'pages' ? (['thumbnails'] as const) : []),
  ...(layout.view === 'flow' ? (['typography'] as const) : []),
  'find',
];

/** Opens the outline, or the thumbnails of pages without one; closes either. */
export const toggleNavigation = ({ layout, store }: Reader) =>
  store.dispatch({ type: 'navigationToggled', panel: hasOutlinePanel(layout) ? 'outline' : 'thumbnails' });

/** Beside the pages on desktop, a bottom sheet on phones. */
export function SidePanel() {
  const reader = useReader();
  const panel = useReaderState((state) => state.panel);
  const isMobile = useDevice((device) => device.isMobile);
  const close = () => reader.store.dispatch({ type: 'panelClosed' });
  useReturnedFocus(reader, panel !== null);
  // A user who presses the key starts typing immediately: the field must exist already.
  useEffect(() => {
    // Opening the panel loads it again and reports a failure.
    const timer = setTimeout(() => void loadFind().catch(() => {}), PREFETCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isMobile)
    return panel ? (
      <Suspense fallback={null}>
        <Sheet open onClose={close} title={panels[panel].title}>
          <PanelTabs />
          {panels[panel].render()}
        </Sheet>
      </Suspense>
    ) : null;
  if (!panel) return null;
  return (
    <aside
      aria-label={panels[panel].title}
      className="sticky top-[calc(var(--top-bar-height)+52px)] z-10 flex h-[calc(100dvh-var(--top-bar-height)-52px)] w-75 shrink-0 flex-col border-r border-line bg-surface print:hidden"
    >
      <div className="flex items-center justify-between gap-2 border-b border-line py-1.5 pr-1.5 pl-3">
        <PanelTabs />
        <IconButton label="收起" onClick={close}>
          <X aria-hidden="true" className="size-4.5" />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1">
        <Suspense fallback={null}>{panels[panel].render()}</Suspense>
      </div>
    </aside>
  );
}

/** When a panel closes with the focus inside, the element that had the focus before it opened gets it back. */
function useReturnedFocus({ store }: Reader, isOpen: boolean) {
  const opener = useRef<Element>(null);
  // Subscribed, because panels take the focus before an effect of their parent runs.
  useEffect(
    () =>
      store.subscribe((state, previous) => {
        if (state.panel && !previous.panel) opener.current = document.activeElement;
      }),
    [store],
  );
  useEffect(() => {
    if (isOpen || document.activeElement !== document.body) return;
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [isOpen]);
}

function PanelTabs() {
  const reader = useReader();
  const panel = useReaderState((state) => state.panel);
  return (
    <div className="flex gap-1 max-md:mb-3">
      {availablePanels(reader).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === panel}
          className="h-8 rounded-sm px-2.5 text-14 text-ink-2 transition-colors hover:text-bean aria-pressed:bg-bean-soft aria-pressed:text-bean max-md:h-10 max-md:px-4"
          onClick={() => reader.store.dispatch({ type: 'panelOpened', panel: name })}
        >
          {panels[name].title}
        </button>
      ))}
    </div>
  );
}
