import { type CSSProperties, memo, useEffect, useRef } from 'react';
import { latinTextClass } from '#platform/web/latin-text.ts';
import { TrustedHtml } from '#platform/web/ui/trusted-html.tsx';
import type { ReadingPage } from '../../reading.contract.ts';
import { usePageImages } from '../paged/use-page-data.ts';
import { useReader } from '../reader-store.ts';
import { DEFAULT_FONT_SIZE, setFlowSize, useFlowPrefs } from './flow-prefs.ts';
import { FlowProgress } from './flow-progress.tsx';
import { markLatinParagraphs } from './mark-latin-paragraphs.ts';
import { useFlowHits } from './use-flow-hits.ts';
import { useFlowLinks } from './use-flow-links.ts';
import { useFlowPlace } from './use-flow-place.ts';

/** A book or a text as one flowing column, set as the reader likes it. */
export function FlowView() {
  const { layout, view, store } = useReader();
  const { size, leading, width, tone } = useFlowPrefs();
  const desk = useRef<HTMLDivElement>(null);
  const { range, goTo, hold } = useFlowPlace(desk);
  const { images: sections } = usePageImages(range);
  const pages = Array.from({ length: range.last - range.first + 1 }, (_, place) => range.first + place);
  const shown = pages.filter((page) => sections.has(page));
  useFlowHits(desk, shown.join(), hold);
  useFlowLinks(desk);
  useEffect(() => {
    view.current = {
      goTo,
      zoomTo: (zoom) => setFlowSize(typeof zoom === 'number' ? (DEFAULT_FONT_SIZE * zoom) / 100 : DEFAULT_FONT_SIZE),
      showHit: ({ page }) => {
        if (!desk.current?.querySelector(`[data-section="${page}"]`)) goTo(page);
      },
    };
    return () => {
      view.current = null;
    };
  }, [view, goTo]);
  useEffect(() => store.setState({ percent: Math.round((size / DEFAULT_FONT_SIZE) * 100) }), [store, size]);
  const style = { '--size': `${size}px`, '--leading': leading, '--measure': `${width}em` };
  return (
    <div
      className="reader-flow"
      data-tone={tone}
      data-copy={layout.may_copy || undefined}
      style={style as CSSProperties}
    >
      <div ref={desk} className="reader-flow-column">
        {pages.map((page) => {
          const section = sections.get(page);
          if (section) return <Section key={page} section={section} />;
          // One line for all that is not there yet, so that nobody reads past it unawares.
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

/** Links of the book that leave the site say nothing of where they come from. */
const outward = (html: string) =>
  html.replace(/<a href="(?=https?:)/g, '<a target="_blank" rel="noopener noreferrer nofollow ugc" href="');

/** Texts were made safe on the server; the page's policy lets no script of theirs run either. */
const Section = memo(function Section({ section: { page, html } }: { section: ReadingPage }) {
  return (
    <TrustedHtml
      as="section"
      html={markLatinParagraphs(outward(html))}
      id={`p${page}`}
      data-section={page}
      aria-label={`第 ${page} 节`}
      className={`prose font-serif ${latinTextClass(html.replace(/<[^>]*>/g, ''))}`}
    />
  );
});
