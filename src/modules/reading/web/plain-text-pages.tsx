import { Link } from 'react-router';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { ScrollRegion } from '#platform/web/ui/scroll-region.tsx';
import { TextWithLatinQuotes } from '#platform/web/ui/text-with-latin-quotes.tsx';
import type { PlainPage, plainTextApi } from '../plain-text.contract.ts';

export type PlainText = OutputOf<typeof plainTextApi.text>;

/** Ignores whitespace and punctuation when comparing a title with a line. */
const comparableText = (text: string) => text.replace(/[\s\p{P}]/gu, '').toLowerCase();

export function PlainTextPages({ id, text }: { id: number; text: PlainText }) {
  const titles = Map.groupBy(text.outline, ({ page }) => page);
  return (
    <div className="prose font-serif">
      {text.page.map((page) => (
        <section key={page.page} id={`p${page.page}`} aria-label={`第 ${page.page} 页`}>
          <p className="mt-8! border-t border-line pt-3 font-sans text-13 text-ink-2">
            <Link to={`/document/${id}#p=${page.page}`} className="no-underline! text-ink-2!">
              第 {page.page} 页
            </Link>
            {page.recognized ? <span className="ml-2">由机器识别</span> : null}
          </p>
          <PageText page={page} titles={(titles.get(page.page) ?? []).map(({ title }) => title)} />
        </section>
      ))}
    </div>
  );
}

function PageText({ page: { page, paragraphs, rows }, titles }: { page: PlainPage; titles: string[] }) {
  if (rows.length > 0) return <PlainTableRows page={page} rows={rows} title={titles[0]} />;
  const remainingTitles = new Set(titles);
  const parts = paragraphs.map((paragraph) => {
    const title = [...remainingTitles].find((each) => comparableText(each) === comparableText(paragraph));
    if (title !== undefined) remainingTitles.delete(title);
    return { paragraph, isTitle: title !== undefined };
  });
  return (
    <>
      {/* Titles that do not occur in the text come first. */}
      {[...remainingTitles].map((title) => (
        <h2 key={title} className={latinTextClass(title)}>
          {title}
        </h2>
      ))}
      {[...parts.entries()].map(([index, { paragraph, isTitle }]) =>
        isTitle ? (
          <h2 key={index} className={latinTextClass(paragraph)}>
            {paragraph}
          </h2>
        ) : (
          <p key={index} className={`[tab-size:8] whitespace-pre-wrap ${latinTextClass(paragraph)}`}>
            <TextWithLatinQuotes text={paragraph} />
          </p>
        ),
      )}
      {paragraphs.length === 0 ? <p className="text-ink-2">这一页没有文字。</p> : null}
    </>
  );
}

function PlainTableRows({ page, rows, title }: { page: number; rows: string[][]; title?: string }) {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  return (
    <>
      {title ? <h2 className={latinTextClass(title)}>{title}</h2> : null}
      <ScrollRegion className="overflow-x-auto" label={`第 ${page} 页的表格`}>
        <table className="table! w-auto! font-sans">
          <tbody>
            {[...rows.entries()].map(([index, row]) => (
              <tr key={index}>
                {[...Array(columns).keys()].map((column) => (
                  <td key={column} className="max-w-80 min-w-20 [overflow-wrap:break-word] whitespace-pre-line">
                    {row[column] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
