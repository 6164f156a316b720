import { type CSSProperties, memo, useEffect, useRef } from 'react';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { TrustedHtml } from '#platform/web/ui/trusted-html.tsx';
import type { ReadingPage } from '../../reading.contract.ts';
import { usePageImages } from '../paged/use-page-data.ts';
import { useReader } from '../reader-store.ts';
import { DEFAULT_FONT_SIZE, setFlowFontSize, useFlowPrefs } from './flow-prefs.ts';
import { FlowProgress } from './flow-progress.tsx';
import { markLatinBlocks } from './mark-latin-blocks.ts';
import { useFlowHits } from './use-flow-hits.ts';
import { useFlowLinks } from './use-flow-links.ts';
import { useFlowPosition } from './use-flow-position.ts';

/** A reflowable text as one column, with the reader's typography. */
export function FlowView() {
  const { layout, view, store } = useReader();
  const { size, leading, width, tone } = useFlowPrefs();
  const viewport = useRef<HTMLDivElement>(null);
  const { range, goTo, holdPosition } = useFlowPosition(viewport);
  const { images: sections } = usePageImages(range, { showsLoading: true });
  const pages = Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index);
  const loadedPages = pages.filter((page) => sections.has(page));
  useFlowHits(viewport, loadedPages.join(), holdPosition);
  useFlowLinks(viewport);
  useEffect(() => {
    view.current = {
      goTo,
      zoomTo: (zoom) =>
        setFlowFontSize(typeof zoom === 'number' ? (DEFAULT_FONT_SIZE * zoom) / 100 : DEFAULT_FONT_SIZE),
      showHit: ({ page }) => {
        if (!viewport.current?.querySelector(`[data-section="${page}"]`)) goTo(page);
      },
    };
    return () => {
      view.current = null;
    };
  }, [view, goTo]);
  useEffect(
    () => store.dispatch({ type: 'zoomMeasured', percent: Math.round((size / DEFAULT_FONT_SIZE) * 100) }),
    [store, size],
  );
  const style = { '--size': `${size}px`, '--leading': leading, '--measure': `${width}em` };
  return (
    <div
      className="reader-flow"
      data-tone={tone}
      data-copy={layout.may_copy || undefined}
      style={style as CSSProperties}
    >
      <div ref={viewport} className="reader-flow-column">
        {pages.map((page) => {
          const section = sections.get(page);
          if (section) return <FlowSection key={page} section={section} />;
          // One notice for each gap, so that the reader does not skip missing sections unnoticed.
          return page === range.first || sections.has(page - 1) ? (
            <p key={page} role="status" className="py-24 text-center text-14 text-ink-2">
              正在加载
            </p>
          ) : null;
        })}
      </div>
      <FlowProgress />
    </div>
  );
}

/** Links to other sites open in a new tab without a referrer. */
const withExternalLinkAttributes = (html: string) =>
  html.replace(/<a href="(?=https?:)/g, '<a target="_blank" rel="noopener noreferrer nofollow ugc" href="');

/** The server sanitizes the HTML; the content security policy blocks scripts as well. */
const FlowSection = memo(function FlowSection({ section: { page, html } }: { section: ReadingPage }) {
  return (
    <TrustedHtml
      as="section"
      html={markLatinBlocks(withExternalLinkAttributes(html))}
      id={`p${page}`}
      data-section={page}
      aria-label={`第 ${page} 节`}
      className={`prose font-serif ${latinTextClass(html.replace(/<[^>]*>/g, ''))}`}
    />
  );
});
