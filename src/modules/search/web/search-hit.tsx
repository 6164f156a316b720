import { LockKeyhole } from 'lucide-react';
import { Link } from 'react-router';
import { Cover } from '#modules/document/web/cover.tsx';
import { DocumentMeta } from '#modules/document/web/document-meta.tsx';
import { DocumentStatusTag } from '#modules/document/web/document-status-tag.tsx';
import { TwinsNote } from '#modules/document/web/twins-note.tsx';
import { TypeTag } from '#modules/document/web/type-tag.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { SearchHit as Row, SearchSnippet } from '../search.contract.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { hitHref } from './search-url.ts';

const MAX_PAGE_CHIPS = 8;

/** Title, quoted pages and further page numbers; each link opens the document at its page. */
export function SearchHitCard({ row, isFirst }: { row: Row; isFirst: boolean }) {
  const [best] = row.snippet;
  const href = hitHref(row.id, best?.wd ?? '', best?.page);
  const { show_document_descriptions } = useSettings().display;
  return (
    <li className="group flex items-start gap-4 py-5 md:gap-5">
      {/* The title is the same link, so this one is left out of the tab order. */}
      <Link to={href} tabIndex={-1} aria-hidden="true" className="w-16 shrink-0 max-md:hidden">
        <Cover document={row} isFirst={isFirst} />
      </Link>
      <div className="min-w-0 flex-1">
        <h2 className="flex items-start gap-2.5 text-16">
          <TypeTag extension={row.ext} />
          <Link
            to={href}
            className={`line-clamp-2 min-w-0 rounded-sm font-medium wrap-anywhere transition-colors hover:text-bean ${latinTextClass(row.title)}`}
          >
            <HighlightedText text={row.title} marks={row.title_marks} />
          </Link>
          <DocumentStatusTag row={row} />
        </h2>
        {best ? (
          <ul aria-label="命中的页" className="mt-1.5">
            {row.snippet.map((snippet) => (
              <PageSnippetLink key={snippet.page} id={row.id} snippet={snippet} />
            ))}
          </ul>
        ) : show_document_descriptions && row.description ? (
          <p className={`mt-1.5 line-clamp-2 text-14 text-ink-2 ${latinTextClass(row.description)}`}>
            <HighlightedText text={row.description} marks={row.description_marks} />
          </p>
        ) : null}
        <OtherMatchingPages row={row} />
        <DocumentMeta row={row} />
        <TwinsNote twins={row.twins} />
      </div>
    </li>
  );
}

const chipClass =
  'shrink-0 rounded-sm bg-sunken px-2 text-12 text-ink-2 tabular-nums transition-colors group-hover/hit:bg-bean-soft group-hover/hit:text-bean';

function PageSnippetLink({ id, snippet: { page, text, marks, wd } }: { id: number; snippet: SearchSnippet }) {
  return (
    <li>
      <Link
        to={hitHref(id, wd, page)}
        className="group/hit -mx-2 flex min-h-10 items-start gap-2.5 rounded-sm px-2 py-1.5 text-14 transition-colors hover:bg-sunken md:min-h-0"
      >
        <span className={`mt-px ${chipClass} leading-5.5`}>第 {page} 页</span>
        <span className={`line-clamp-2 min-w-0 wrap-anywhere ${latinTextClass(text)}`}>
          <HighlightedText text={text} marks={marks} />
        </span>
      </Link>
    </li>
  );
}

/** Matching pages without a snippet; for pages beyond the preview only their number. */
function OtherMatchingPages({ row }: { row: Row }) {
  const quotedPages = new Set(row.snippet.map(({ page }) => page));
  const otherPages = row.hit_page.filter((page) => !quotedPages.has(page));
  const visiblePages = otherPages.slice(0, MAX_PAGE_CHIPS);
  const hiddenCount = row.hit_pages - quotedPages.size - visiblePages.length;
  if (visiblePages.length === 0 && row.locked_pages === 0) return null;
  const wd = row.snippet[0]?.wd ?? '';
  return (
    <div className="mt-1 flex flex-wrap items-center gap-1.5 text-12 text-ink-2">
      {visiblePages.length > 0 ? <span>还见于</span> : null}
      {visiblePages.map((page) => (
        <Link
          key={page}
          to={hitHref(row.id, wd, page)}
          className={`group/hit grid min-h-10 min-w-10 place-items-center md:min-h-6 md:min-w-8 ${chipClass} hover:bg-bean-soft hover:text-bean`}
        >
          第 {page} 页
        </Link>
      ))}
      {hiddenCount > 0 ? <span>等 {hiddenCount + visiblePages.length} 页</span> : null}
      {row.locked_pages > 0 ? (
        <span className="inline-flex items-center gap-1">
          <LockKeyhole aria-hidden="true" className="size-3.5" />
          另有 {row.locked_pages} 页在预览之外
        </span>
      ) : null}
    </div>
  );
}
