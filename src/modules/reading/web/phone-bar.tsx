import { ALargeSmall, Ellipsis, List, Search, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useReader, useReaderState } from './reader-store.ts';
import { toggleNavigation } from './side-panel.tsx';

const buttonClass =
  'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-12 text-ink-2 transition-colors active:text-bean';

/** Toolbar at the bottom of phones. */
export function PhoneBar({ actions }: { actions?: ReactNode }) {
  const reader = useReader();
  const { store } = reader;
  const isHidden = useReaderState((state) => state.areBarsHidden);
  return (
    <div
      role="toolbar"
      aria-label="阅读操作"
      data-reader-bar=""
      data-hidden={isHidden || undefined}
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-20 flex h-14 items-stretch border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] transition-transform duration-200 data-hidden:translate-y-full md:hidden print:hidden"
    >
      <button type="button" className={buttonClass} onClick={() => toggleNavigation(reader)}>
        <List aria-hidden="true" className="size-5" />
        目录
      </button>
      <button type="button" className={buttonClass} onClick={() => store.dispatch({ type: 'findRequested' })}>
        <Search aria-hidden="true" className="size-5" />
        查找
      </button>
      {reader.layout.view === 'flow' ? (
        <button
          type="button"
          className={buttonClass}
          onClick={() => store.dispatch({ type: 'panelOpened', panel: 'typography' })}
        >
          <ALargeSmall aria-hidden="true" className="size-5" />
          排版
        </button>
      ) : null}
      {actions ? <div className="grid flex-1 place-items-center">{actions}</div> : null}
      <button
        type="button"
        className={buttonClass}
        onClick={() => store.dispatch({ type: 'dialogOpened', dialog: 'share' })}
      >
        <Share2 aria-hidden="true" className="size-5" />
        分享
      </button>
      <button
        type="button"
        aria-haspopup="dialog"
        className={buttonClass}
        onClick={() => store.dispatch({ type: 'dialogOpened', dialog: 'more' })}
      >
        <Ellipsis aria-hidden="true" className="size-5" />
        更多
      </button>
    </div>
  );
}
