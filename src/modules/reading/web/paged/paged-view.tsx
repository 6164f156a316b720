import { type CSSProperties, type RefObject, useEffect, useMemo } from 'react';
import { usePageBatchSize } from '../page-batch-size.ts';
import { useReaderPrefs } from '../reader-prefs.ts';
import { useReader, useReaderState } from '../reader-store.ts';
import { HorizontalScrollBar } from './horizontal-scroll-bar.tsx';
import { layOutPages, PAGE_GAP, type PageLayout, pageAtRowDistance, totalColumnHeight } from './page-layout.ts';
import { PagedViewPage } from './paged-view-page.tsx';
import { useGestures } from './use-gestures.ts';
import { useHiResImages } from './use-hi-res-images.ts';
import { type PageRange, usePageImages, usePageWords } from './use-page-data.ts';
import { usePageWidth } from './use-page-width.ts';
import { useViewport } from './use-viewport.ts';
import { pageWidthCss, type Zoom } from './zoom.ts';

/** Pages visible in the server-rendered page. */
const INITIALLY_VISIBLE_PAGES = 2;

const isPageInRange = (page: number, range: PageRange | null) =>
  range !== null && page >= range.first && page <= range.last;

/** Width and height of the column as CSS expressions, so that they are correct before scripts run. */
function columnStyle(pages: PageLayout, zoom: Zoom, isDouble: boolean): CSSProperties {
  const { widths, pixels } = totalColumnHeight(pages);
  const columns = isDouble ? 2 : 1;
  const style: Record<string, string> = {
    '--w': pageWidthCss(zoom, isDouble, pages.ratioOf(1)),
    '--height': `calc(var(--w) * ${widths.toFixed(5)} + ${pixels}px)`,
    minWidth: `calc(var(--w) * ${columns} + ${(columns - 1) * PAGE_GAP}px)`,
  };
  return style;
}

/** Page images in a virtualized column. */
export function PagedView() {
  const { layout, store, first } = useReader();
  const zoom = useReaderState((state) => state.zoom);
  const rotation = useReaderState((state) => state.rotation);
  const isDouble = useReaderState((state) => state.isDouble);
  const isInverted = useReaderPrefs((prefs) => prefs.isInverted);
  const pages = useMemo(
    () => layOutPages(layout.sizes, layout.readable, { rotation, isDouble }),
    [layout.sizes, layout.readable, rotation, isDouble],
  );
  const startPage = first.page[0]?.page ?? 1;
  const batchSize = usePageBatchSize();
  const initial = { first: startPage, last: startPage + batchSize - 1 };
  const { viewport, ruler, ranges, goTo, zoomTo } = useViewport(pages, initial);
  const { rendered: renderedRange, withImages, near, current } = ranges;
  const { images, renew } = usePageImages(withImages);
  const words = usePageWords(current);
  const hiResUrls = useHiResImages(current);
  const width = usePageWidth(ruler);
  useGestures(viewport, zoomTo, store);
  usePagedNavigation(viewport, { pages, goTo, zoomTo });
  const numbers = Array.from(
    { length: Math.max(0, Math.min(renderedRange.last, layout.readable) - renderedRange.first + 1) },
    (_, at) => renderedRange.first + at,
  );
  return (
    <>
      <div ref={viewport} className="reader-viewport" data-inverted={isInverted || undefined}>
        <ol
          aria-label="文档页面"
          className="reader-column"
          data-copy={layout.may_copy || undefined}
          style={columnStyle(pages, zoom, isDouble)}
        >
          {numbers.map((page) => (
            <PagedViewPage
              key={page}
              page={page}
              total={layout.pages}
              layout={pages}
              rotation={rotation}
              width={width}
              image={images.get(page)}
              hiResUrl={hiResUrls.get(page)}
              words={isPageInRange(page, current) ? words.get(page) : undefined}
              isNear={isPageInRange(page, near)}
              isFirst={page >= startPage && page < startPage + INITIALLY_VISIBLE_PAGES}
              isStartPage={page === startPage}
              onStale={renew}
            />
          ))}
          <li ref={ruler} aria-hidden="true" className="pointer-events-none h-0 w-(--w)" />
        </ol>
      </div>
      <HorizontalScrollBar viewport={viewport} />
    </>
  );
}

/** Lets the bars and panels of the reader open pages, zoom and show hits. */
function usePagedNavigation(
  viewport: RefObject<HTMLElement | null>,
  { pages, goTo, zoomTo }: { pages: PageLayout } & Pick<ReturnType<typeof useViewport>, 'goTo' | 'zoomTo'>,
) {
  const { view } = useReader();
  useEffect(() => {
    const hasWords = (page: number) => viewport.current?.querySelector(`[data-page="${page}"] [data-words]`) !== null;
    view.current = {
      goTo,
      zoomTo,
      pageAtRowDistance: (page, rows) => pageAtRowDistance(pages, page, rows),
      showHit: ({ page }) => {
        if (!hasWords(page)) goTo(page);
      },
    };
    return () => {
      view.current = null;
    };
  }, [view, goTo, zoomTo, viewport, pages]);
}
