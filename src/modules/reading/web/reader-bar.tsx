import { ALargeSmall, ArrowLeft, Ellipsis, type LucideIcon, Minus, PanelLeft, Plus, Search } from 'lucide-react';
import { lazy, type MouseEvent, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { IconButton } from '#platform/web/ui/button.tsx';
import { LazyMenu } from '#platform/web/ui/lazy-menu.tsx';
import { PageNumberInput } from './page-number-input.tsx';
import { MAX_ZOOM, MIN_ZOOM, zoomStep } from './paged/zoom.ts';
import type { PanelName } from './reader-state.ts';
import { useReader, useReaderState } from './reader-store.ts';
import { toggleNavigation } from './side-panel.tsx';
import { followedLinkCount } from './use-url-position.ts';

const loadMenu = () => import('./panels/more-menu.tsx');
const MoreMenu = lazy(() => loadMenu().then((module) => ({ default: module.MoreMenu })));

const iconClass = 'size-4.5';
const squareButtonClass =
  'grid size-10 shrink-0 place-items-center rounded-md transition-colors hover:bg-bean-soft hover:text-bean';

/** Toolbar that hides while the user scrolls down. */
export function ReaderBar({ back, actions }: { back: string; actions?: ReactNode }) {
  const reader = useReader();
  const { title, isEmbedded, layout } = reader;
  const panel = useReaderState((state) => state.panel);
  const isHidden = useReaderState((state) => state.areBarsHidden);
  return (
    <div
      role="toolbar"
      aria-label="阅读"
      data-reader-bar=""
      data-hidden={isHidden || undefined}
      className="sticky top-(--top-bar-height) z-20 flex h-13 items-center gap-0.5 border-b border-line bg-surface pr-4 pl-1.5 transition-transform duration-200 focus-within:translate-y-0 data-hidden:-translate-y-full focus-within:data-hidden:translate-y-0 has-aria-expanded:data-hidden:translate-y-0 md:px-3 print:hidden"
    >
      {isEmbedded ? null : <BackLink to={back} />}
      <IconButton
        label="目录与缩略图"
        aria-pressed={panel === 'outline' || panel === 'thumbnails'}
        className="hidden aria-pressed:bg-bean-soft aria-pressed:text-bean md:grid"
        onClick={() => toggleNavigation(reader)}
      >
        <PanelLeft aria-hidden="true" className={iconClass} />
      </IconButton>
      <p className={`min-w-0 flex-1 truncate px-2 font-serif text-15 font-bold ${latinTextClass(title)}`}>
        {isEmbedded ? (
          <a href={`/document/${reader.id}`} target="_blank" rel="noopener" className="hover:text-bean">
            {title}
          </a>
        ) : (
          title
        )}
      </p>
      <PageNumberInput />
      <div className="hidden items-center gap-0.5 pl-2 md:flex">
        <PanelButton panel="find" label="查找（/）" icon={Search} />
        {layout.view === 'pages' ? <ZoomButtons /> : null}
        {layout.view === 'flow' ? <PanelButton panel="typography" label="排版" icon={ALargeSmall} /> : null}
        {actions}
        <LazyMenu
          preload={loadMenu}
          label="更多"
          className={squareButtonClass}
          trigger={<Ellipsis aria-hidden="true" className={iconClass} />}
        >
          {(popup) => <MoreMenu {...popup} />}
        </LazyMenu>
      </div>
    </div>
  );
}

function PanelButton({ panel, label, icon: Icon }: { panel: PanelName; label: string; icon: LucideIcon }) {
  const { store } = useReader();
  const isOpen = useReaderState((state) => state.panel === panel);
  return (
    <IconButton
      label={label}
      aria-pressed={isOpen}
      className="aria-pressed:bg-bean-soft aria-pressed:text-bean"
      onClick={() => store.dispatch({ type: 'panelToggled', panel })}
    >
      <Icon aria-hidden="true" className={iconClass} />
    </IconButton>
  );
}

function ZoomButtons() {
  const { view } = useReader();
  const percent = useReaderState((state) => state.percent);
  const zoom = useReaderState((state) => state.zoom);
  return (
    <div className="flex items-center">
      <IconButton
        label="缩小"
        disabled={percent <= MIN_ZOOM}
        className="disabled:opacity-40"
        onClick={() => view.current?.zoomTo?.(zoomStep(percent, -1))}
      >
        <Minus aria-hidden="true" className={iconClass} />
      </IconButton>
      <button
        type="button"
        aria-label={`缩放 ${percent}%，点击恢复自动`}
        title="恢复自动大小"
        className="h-8 w-13 rounded-sm text-13 text-ink-2 tabular-nums transition-colors hover:text-bean"
        onClick={() => view.current?.zoomTo?.(zoom === 'auto' ? 100 : 'auto')}
      >
        {percent}%
      </button>
      <IconButton
        label="放大"
        disabled={percent >= MAX_ZOOM}
        className="disabled:opacity-40"
        onClick={() => view.current?.zoomTo?.(zoomStep(percent, 1))}
      >
        <Plus aria-hidden="true" className={iconClass} />
      </IconButton>
    </div>
  );
}

/** Goes back in the history if the visit started on this site, otherwise to `to`. */
function BackLink({ to }: { to: string }) {
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    const opensNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.button > 0;
    // `idx` counts the router's navigations in this tab.
    if (opensNewTab || !(window.history.state?.idx > 0)) return;
    event.preventDefault();
    void navigate(-1 - followedLinkCount());
  };
  return (
    <Link to={to} onClick={goBack} aria-label="返回" title="返回" className={squareButtonClass}>
      <ArrowLeft aria-hidden="true" className={iconClass} />
    </Link>
  );
}
