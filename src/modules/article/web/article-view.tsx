import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { TrustedHtml } from '#platform/web/ui/trusted-html.tsx';
import type { Article } from '../article.contract.ts';

/** An article. The server sanitized its HTML when it was saved. */
export function ArticleView({ article }: { article: Article }) {
  const { timezone } = useSettings().system;
  return (
    <article className="card mx-auto max-w-200 px-5 py-8 md:px-14 md:py-12">
      <header className="border-b border-line pb-6">
        <h1 className="font-serif text-28 font-bold md:text-36">{article.title}</h1>
        <p className="mt-3 flex flex-wrap gap-x-5 text-14 text-ink-2">
          {article.author ? <span>{article.author}</span> : null}
          <span>{article.view_count} 次浏览</span>
          <span>
            最后更新 <time dateTime={article.updated_at}>{formatDate(article.updated_at, timezone)}</time>
          </span>
        </p>
      </header>
      <TrustedHtml as="div" html={article.content} className="prose mt-8" />
    </article>
  );
}
