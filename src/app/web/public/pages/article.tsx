import { data, useLoaderData } from 'react-router';
import { type Article, type ArticleSummary, articleApi } from '#modules/article/article.contract.ts';
import { ArticleList } from '#modules/article/web/article-list.tsx';
import { ArticleView } from '#modules/article/web/article-view.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { browserLoader, type PageLoad, pageNumberOf, serverLoader } from '#platform/web/page-loader.ts';

const PAGE_SIZE = 20;

type ArticleData =
  | { article: Article; list?: undefined }
  | { article?: undefined; list: ArticleSummary[]; total: number; page: number };

const loadArticlePage: PageLoad<ArticleData> = async (api, { params: { id }, request }) => {
  if (id === undefined) {
    const page = pageNumberOf(request);
    const { article, total } = await api(articleApi.list, { page, size: PAGE_SIZE });
    if (page > 1 && article.length === 0) throw data(null, { status: 404 });
    return { list: article, total, page };
  }
  const article = await api(articleApi.get, /^\d+$/.test(id) ? { id: Number(id) } : { identifier: id });
  return { article };
};
export const loader = serverLoader(loadArticlePage);
export const clientLoader = browserLoader(loadArticlePage);

export default function ArticlePage() {
  const loaderData = useLoaderData<ArticleData>();
  if (loaderData.article) {
    const { title, keywords, description, identifier, id } = loaderData.article;
    return (
      <main className="page-width pt-6 pb-16">
        <PageHead
          title={title}
          keywords={keywords || title}
          description={description}
          path={`/article/${identifier || id}`}
        />
        <ArticleView article={loaderData.article} />
      </main>
    );
  }
  return (
    <main className="page-width pt-8 pb-16">
      <PageHead title="本站说明" />
      <ArticleList articles={loaderData.list} total={loaderData.total} page={loaderData.page} size={PAGE_SIZE} />
    </main>
  );
}
