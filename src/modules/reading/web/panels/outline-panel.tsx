import { ChevronRight } from 'lucide-react';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import { useDevice } from '#platform/web/device.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { goToPage, type ReaderLayout, useReader, useReaderState } from '../reader-store.ts';

type Entry = ReaderLayout['outline'][number] & { hasChildren: boolean };
/** Longer outlines start with the lower levels collapsed. */
const MAX_EXPANDED_ENTRIES = 80;

export function OutlinePanel() {
  const { outline } = useReader().layout;
  const page = useReaderState((state) => state.page);
  const entries = useMemo<Entry[]>(
    () =>
      outline.map((entry, at) => ({
        ...entry,
        hasChildren: (outline[at + 1]?.depth ?? 0) > entry.depth,
      })),
    [outline],
  );
  const [collapsedIndexes, setCollapsedIndexes] = useState(() => initiallyCollapsed(entries));
  const current = entries.findLastIndex((entry) => entry.page > 0 && entry.page <= page);
  const currentItem = useRef<HTMLLIElement>(null);
  useEffect(() => {
    currentItem.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (entries.length === 0) return <p className="p-6 text-center text-14 text-ink-2">这篇文档没有目录</p>;
  const toggle = (at: number) =>
    setCollapsedIndexes((previous) => {
      const next = new Set(previous);
      if (!next.delete(at)) next.add(at);
      return next;
    });
  return (
    <ul className="h-full overflow-y-auto overscroll-contain p-2 max-md:p-0">
      {visibleIndexes(entries, collapsedIndexes).map((at) => (
        <OutlineItem
          key={at}
          entry={entries[at] as Entry}
          isCurrent={at === current}
          isCollapsed={collapsedIndexes.has(at)}
          onToggle={() => toggle(at)}
          ref={at === current ? currentItem : null}
        />
      ))}
    </ul>
  );
}

type OutlineItemProps = {
  entry: Entry;
  isCurrent: boolean;
  isCollapsed: boolean;
  onToggle: () => void;
  ref: Ref<HTMLLIElement>;
};

function OutlineItem({ entry, isCurrent, isCollapsed, onToggle, ref }: OutlineItemProps) {
  const reader = useReader();
  const isMobile = useDevice((device) => device.isMobile);
  const { title, depth, page: target, hasChildren } = entry;
  return (
    <li
      ref={ref}
      className="flex items-start [content-visibility:auto] [contain-intrinsic-height:36px]"
      style={{ paddingInlineStart: `${depth * 14}px` }}
    >
      {hasChildren ? (
        <button
          type="button"
          aria-label={`${isCollapsed ? '展开' : '收起'}《${title}》`}
          aria-expanded={!isCollapsed}
          className="grid size-9 shrink-0 place-items-center rounded-sm text-ink-2 hover:text-bean"
          onClick={onToggle}
        >
          <ChevronRight
            aria-hidden="true"
            className={`size-4 transition-transform ${isCollapsed ? '' : 'rotate-90'}`}
          />
        </button>
      ) : (
        <span className="w-3 shrink-0" />
      )}
      <button
        type="button"
        disabled={target === 0}
        aria-current={isCurrent ? 'location' : undefined}
        className="flex min-h-9 flex-1 items-baseline gap-3 rounded-sm px-2 py-1.5 text-left text-14 transition-colors hover:bg-bean-soft aria-[current]:bg-bean-soft aria-[current]:text-bean max-md:min-h-11"
        onClick={() => {
          goToPage(reader, target);
          if (isMobile) reader.store.dispatch({ type: 'panelClosed' });
        }}
      >
        <span className={`min-w-0 flex-1 ${latinTextClass(title)}`}>{title}</span>
        {target > 0 ? <span className="text-12 text-ink-2 tabular-nums">{target}</span> : null}
      </button>
    </li>
  );
}

const initiallyCollapsed = (entries: Entry[]): ReadonlySet<number> =>
  new Set(
    entries.length > MAX_EXPANDED_ENTRIES
      ? entries.flatMap(({ depth, hasChildren }, at) => (hasChildren && depth > 0 ? [at] : []))
      : [],
  );

/** Indexes of the entries that no collapsed entry hides. */
function visibleIndexes(entries: Entry[], collapsedIndexes: ReadonlySet<number>): number[] {
  let hiddenBelow = Number.POSITIVE_INFINITY;
  return entries.flatMap(({ depth }, at) => {
    if (depth > hiddenBelow) return [];
    hiddenBelow = collapsedIndexes.has(at) ? depth : Number.POSITIVE_INFINITY;
    return [at];
  });
}
