import { type CSSProperties, useEffect, useMemo } from 'react';
import { READER_BAR_HEIGHT } from '../covered-height.ts';
import { usePageBatchSize } from '../page-batch-size.ts';
import { useReaderPrefs } from '../reader-prefs.ts';
import { useReader, useReaderState, type Zoom } from '../reader-store.ts';
import { heightOf, layPages, PAGE_GAP, turnFrom } from './page-layout.ts';
import { PageSheet } from './page-sheet.tsx';
import { SideScroller } from './side-scroller.tsx';
import { useGestures } from './use-gestures.ts';
import { useHiResImages } from './use-hi-res-images.ts';
import { type PageRange, usePageImages, usePageWords } from './use-page-data.ts';
import { usePageWidth } from './use-page-width.ts';
import { FULL_WIDTH, useViewport } from './use-viewport.ts';

/** Pages that are seen before any script runs. */
const SEEN_AT_ONCE = 2;

const isWithin = (page: number, range: PageRange | null) => range !== null && page >= range.first && page <= range.last;

/** The width pages are shown with, left to the style sheet: it is right before any script runs. */
function widthOf(zoom: Zoom, isDouble: boolean, ratio: number): string {
  const room = isDouble ? `((100cqw - 2 * var(--pad) - ${PAGE_GAP}px) / 2)` : '(100cqw - 2 * var(--pad))';
  if (typeof zoom === 'number') return `${(zoom / 100) * FULL_WIDTH}px`;
  if (zoom === 'width') return `calc(${room})`;
  if (zoom === 'page')
    return `min(${room}, calc((100dvh - var(--top-bar-height) - ${READER_BAR_HEIGHT + 24}px) / ${ratio}))`;
  return `min(${room}, ${FULL_WIDTH}px)`;
}

/** Pictures of pages one below the other, on a desk as long as all of them. */
export function PagedView() {
  const reader = useReader();
  const { layout, store, view, first } = reader;
  const zoom = useReaderState((state) => state.zoom);
  const rotation = useReaderState((state) => state.rotation);
  const isDouble = useReaderState((state) => state.isDouble);
  const isInverted = useReaderPrefs((prefs) => prefs.isInverted);
  const pages = useMemo(
    () => layPages(layout.sizes, layout.readable, { rotation, isDouble }),
    [layout.sizes, layout.readable, rotation, isDouble],
  );
  const begin = first.page[0]?.page ?? 1;
  const atOnce = usePageBatchSize();
  const initial = { first: begin, last: begin + atOnce - 1 };
  const { desk, ruler, shown, goTo, zoomTo } = useViewport(pages, initial);
  const { placed, pictured, near, read } = shown;
  const { images, renew } = usePageImages(pictured);
  const words = usePageWords(read);
  const sharp = useHiResImages(read);
  const width = usePageWidth(ruler);
  useGestures(desk, zoomTo, store);
  useEffect(() => {
    const hasWords = (page: number) => desk.current?.querySelector(`[data-page="${page}"] [data-words]`) !== null;
    view.current = {
      goTo,
      zoomTo,
      turn: (page, by) => turnFrom(pages, page, by),
      showHit: ({ page }) => {
        if (!hasWords(page)) goTo(page);
      },
    };
    return () => {
      view.current = null;
    };
  }, [view, goTo, zoomTo, desk, pages]);

  const { widths, pixels } = heightOf(pages);
  const columns = isDouble ? 2 : 1;
  const style: Record<string, string> = {
    '--w': widthOf(zoom, isDouble, pages.ratioOf(1)),
    '--height': `calc(var(--w) * ${widths.toFixed(5)} + ${pixels}px)`,
    minWidth: `calc(var(--w) * ${columns} + ${(columns - 1) * PAGE_GAP}px)`,
  };
  const numbers = Array.from(
    { length: Math.max(0, Math.min(placed.last, layout.readable) - placed.first + 1) },
    (_, at) => placed.first + at,
  );
  return (
    <>
      <div ref={desk} className="reader-desk" data-inverted={isInverted || undefined}>
        <ol
          aria-label="文档页面"
          className="reader-column"
          data-copy={layout.may_copy || undefined}
          style={style as CSSProperties}
        >
          {numbers.map((page) => (
            <PageSheet
              key={page}
              page={page}
              total={layout.pages}
              layout={pages}
              rotation={rotation}
              width={width}
              image={images.get(page)}
              sharpUrl={sharp.get(page)}
              words={isWithin(page, read) ? words.get(page) : undefined}
              isNear={isWithin(page, near)}
              isFirst={page >= begin && page < begin + SEEN_AT_ONCE}
              isLead={page === begin}
              onStale={renew}
            />
          ))}
          <li ref={ruler} aria-hidden="true" className="pointer-events-none h-0 w-(--w)" />
        </ol>
      </div>
      <SideScroller desk={desk} />
    </>
  );
}
