import { useEffect, useMemo, useRef, useState } from 'react';
import { useDevice } from '#platform/web/device.ts';
import { layOutPages } from '../paged/page-layout.ts';
import { usePageImages } from '../paged/use-page-data.ts';
import { useReaderPrefs } from '../reader-prefs.ts';
import { goToPage, useReader, useReaderState } from '../reader-store.ts';

const ROW_HEIGHT_PX = 176;
const OVERSCAN_ROWS = 2;

/** Renders only the visible thumbnails. */
export function ThumbnailPanel() {
  const reader = useReader();
  const { layout, store } = reader;
  const page = useReaderState((state) => state.page);
  const isMobile = useDevice((device) => device.isMobile);
  const isInverted = useReaderPrefs((prefs) => prefs.isInverted);
  const columns = isMobile ? 3 : 2;
  const rows = Math.ceil(layout.readable / columns);
  const list = useRef<HTMLDivElement>(null);
  const [visibleRows, setVisibleRows] = useState(() => rowsAround(Math.floor((page - 1) / columns)));
  const pages = useMemo(() => layOutPages(layout.sizes, layout.readable), [layout.sizes, layout.readable]);
  useEffect(() => {
    const { current: target } = list;
    if (!target) return;
    target.scrollTop = Math.max(0, Math.floor((store.getState().page - 1) / columns) - 1) * ROW_HEIGHT_PX;
  }, [store, columns]);
  const updateVisibleRows = () => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT_PX) - OVERSCAN_ROWS);
    const last = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT_PX) + OVERSCAN_ROWS;
    setVisibleRows((previous) => (previous.first === first && previous.last === last ? previous : { first, last }));
  };
  const first = visibleRows.first * columns + 1;
  const last = Math.min(layout.readable, (visibleRows.last + 1) * columns);
  const { images } = usePageImages({ first, last });
  return (
    <div
      ref={list}
      data-inverted={isInverted || undefined}
      className="h-full overflow-y-auto overscroll-contain max-md:h-[52dvh]"
      onScroll={updateVisibleRows}
    >
      <ul className="relative" style={{ height: rows * ROW_HEIGHT_PX }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((number) => {
          const image = images.get(number);
          const ratio = pages.ratioOf(number);
          return (
            <li
              key={number}
              className="absolute p-2"
              style={{
                top: Math.floor((number - 1) / columns) * ROW_HEIGHT_PX,
                left: `${(((number - 1) % columns) * 100) / columns}%`,
                width: `${100 / columns}%`,
                height: ROW_HEIGHT_PX,
              }}
            >
              <button
                type="button"
                aria-label={`第 ${number} 页`}
                aria-current={number === page ? 'page' : undefined}
                className="group flex size-full flex-col items-center justify-end gap-1 rounded-sm text-12 text-ink-2 tabular-nums"
                onClick={() => {
                  goToPage(reader, number);
                  if (isMobile) store.dispatch({ type: 'panelClosed' });
                }}
              >
                <span
                  className="reader-thumbnail grid min-h-0 place-items-center overflow-hidden rounded-[2px] bg-white outline-1 outline-line group-hover:outline-2 group-hover:outline-bean group-aria-[current]:outline-3 group-aria-[current]:outline-bean"
                  style={{
                    aspectRatio: `1 / ${ratio}`,
                    [ratio > 1.1 ? 'height' : 'width']: ratio > 1.1 ? 132 : '100%',
                  }}
                >
                  {image?.small_url ? (
                    <img src={image.small_url} alt="" className="size-full" decoding="async" />
                  ) : null}
                </span>
                {number}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const rowsAround = (row: number) => ({
  first: Math.max(0, row - OVERSCAN_ROWS),
  last: row + 4 + OVERSCAN_ROWS,
});
