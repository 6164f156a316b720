import { useEffect, useMemo, useRef } from 'react';
import { useDevice } from '#platform/web/device.ts';
import { layOutPages } from '../paged/page-layout.ts';
import { usePageImages } from '../paged/use-page-data.ts';
import { useReaderPrefs } from '../reader-prefs.ts';
import { goToPage, useReader, useReaderState } from '../reader-store.ts';
import { useVisibleRows } from '../use-visible-rows.ts';

const ROW_HEIGHT_PX = 176;
const OVERSCAN_ROWS = 3;
/** Rows below the one of the current page until the list is measured. */
const INITIAL_ROWS = 7;

/** Renders only the visible thumbnails. */
export function ThumbnailPanel() {
  const reader = useReader();
  const { layout, store } = reader;
  const page = useReaderState((state) => state.page);
  const isMobile = useDevice((device) => device.isMobile);
  const isInverted = useReaderPrefs((prefs) => prefs.isInverted);
  const columns = isMobile ? 3 : 2;
  const list = useRef<HTMLDivElement>(null);
  const currentRow = Math.floor((page - 1) / columns);
  const { rows, updateRows } = useVisibleRows(
    list,
    { from: Math.max(0, currentRow - OVERSCAN_ROWS), to: currentRow + INITIAL_ROWS },
    { rowHeight: ROW_HEIGHT_PX, overscan: OVERSCAN_ROWS },
  );
  const pages = useMemo(() => layOutPages(layout.sizes, layout.readable), [layout.sizes, layout.readable]);
  useEffect(() => {
    const row = Math.floor((store.getState().page - 1) / columns);
    if (list.current) list.current.scrollTop = Math.max(0, row - 1) * ROW_HEIGHT_PX;
  }, [store, columns]);
  const first = rows.from * columns + 1;
  const last = Math.min(layout.readable, rows.to * columns);
  const { images } = usePageImages({ first, last });
  return (
    <div
      ref={list}
      data-inverted={isInverted || undefined}
      className="h-full overflow-y-auto overscroll-contain max-md:h-[52dvh]"
      onScroll={updateRows}
    >
      <ul className="relative" style={{ height: Math.ceil(layout.readable / columns) * ROW_HEIGHT_PX }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((number) => (
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
            <Thumbnail
              page={number}
              ratio={pages.ratioOf(number)}
              imageUrl={images.get(number)?.small_url}
              isCurrent={number === page}
              onSelect={() => {
                goToPage(reader, number);
                if (isMobile) store.dispatch({ type: 'panelClosed' });
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

type ThumbnailProps = {
  page: number;
  /** Height divided by width. */
  ratio: number;
  /** Missing until it is loaded, empty until the page is rendered. */
  imageUrl: string | undefined;
  isCurrent: boolean;
  onSelect: () => void;
};

function Thumbnail({ page, ratio, imageUrl, isCurrent, onSelect }: ThumbnailProps) {
  return (
    <button
      type="button"
      aria-label={`第 ${page} 页`}
      aria-current={isCurrent ? 'page' : undefined}
      className="group flex size-full flex-col items-center justify-end gap-1 rounded-sm text-12 text-ink-2 tabular-nums"
      onClick={onSelect}
    >
      <span
        className="reader-thumbnail grid min-h-0 place-items-center overflow-hidden rounded-[2px] bg-white outline-1 outline-line group-hover:outline-2 group-hover:outline-bean group-aria-[current]:outline-3 group-aria-[current]:outline-bean"
        style={{
          aspectRatio: `1 / ${ratio}`,
          [ratio > 1.1 ? 'height' : 'width']: ratio > 1.1 ? 132 : '100%',
        }}
      >
        {imageUrl ? <img src={imageUrl} alt="" className="size-full" decoding="async" /> : null}
      </span>
      {page}
    </button>
  );
}
