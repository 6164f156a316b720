import { data, Link, useLoaderData, useSearchParams } from 'react-router';
import { categoryApi } from '#modules/category/category.contract.ts';
import { Breadcrumb } from '#modules/category/web/breadcrumb.tsx';
import {
  type CategoryItem,
  type CategoryNode,
  indexCategories,
  pathFromRoot,
} from '#modules/category/web/indexed-categories.ts';
import { SiblingCategories } from '#modules/category/web/sibling-categories.tsx';
import { CATEGORY_INPUT, useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { documentApi } from '#modules/document/document.contract.ts';
import { CategoryDocuments, useCategoryDocuments } from '#modules/document/web/category-documents.tsx';
import { KeywordTags, mostFrequentKeywords } from '#modules/document/web/keyword-tags.tsx';
import { ListFilters, SortAndViewTabs } from '#modules/document/web/list-filters.tsx';
import { readListQuery, toListInput } from '#modules/document/web/list-url.ts';
import type { DocumentListResult } from '#modules/document/web/user-documents.tsx';
import { breadcrumbJsonLd, PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { browserLoader, type PageLoad, pageNumberOf, serverLoader } from '#platform/web/page-loader.ts';

/** `path`: top category first; empty on the page of all documents. */
type CategoryData = { path: CategoryItem[]; page: number; documents?: DocumentListResult };

const loadCategoryPage: PageLoad<CategoryData> = async (api, { params: { id }, request }) => {
  const page = pageNumberOf(request);
  if (id === undefined) return { path: [], page };
  const { category } = await api(categoryApi.list, CATEGORY_INPUT);
  const path = pathFromRoot(indexCategories(category).map, Number(id));
  if (!path.at(-1)?.enable) throw data(null, { status: 404 });
  return { path, page };
};

/** Includes the documents, so that the page is complete without scripts; the browser fetches them itself. */
const loadCategoryPageWithDocuments: PageLoad<CategoryData> = async (api, args) => {
  const categoryData = await loadCategoryPage(api, args);
  const query = readListQuery(new URL(args.request.url).searchParams, categoryData.page);
  return {
    ...categoryData,
    documents: await api(documentApi.list, toListInput(query, categoryData.path.at(-1)?.id)),
  };
};
export const loader = serverLoader(loadCategoryPageWithDocuments);
export const clientLoader = browserLoader(loadCategoryPage);

export default function CategoryPage() {
  const { path, page, documents } = useLoaderData<CategoryData>();
  const query = readListQuery(useSearchParams()[0], page);
  const roots = useVisibleCategories();
  const category = path.at(-1);
  const documentsQuery = useCategoryDocuments(category?.id, query, documents);
  const title = category?.title ?? '全部文档';
  const pagePath = category ? `/category/${category.id}` : '/category';
  const keywords = mostFrequentKeywords(documentsQuery.data?.document ?? []);
  const levels = categoryLevelsOnPath(roots, path);
  const { display } = useSettings();
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={path.map((each) => each.title).join(' · ') || title}
        keywords={[...path.map((each) => each.title), ...keywords].join(',') || title}
        description={category ? `${title}分类的文档，可以在线阅读和下载。` : undefined}
        path={pagePath}
        feed={category ? pagePath : ''}
        data={(absolute) => [
          breadcrumbJsonLd(
            absolute,
            (category ? path : [{ id: null, title }]).map(({ id, title }) => ({
              title,
              path: id === null ? pagePath : `/category/${id}`,
            })),
          ),
        ]}
      />
      <div className="card px-5 py-4 md:px-6">
        <Breadcrumb
          path={path}
          siblingMenuOf={(id) => (
            <SiblingCategories id={id} siblings={levels[path.findIndex((each) => each.id === id)] ?? []} />
          )}
        />
        <h1 className="mt-1 font-serif text-28 font-bold">{title}</h1>
        <ChildCategories nodes={levels.at(-1) ?? []} />
        <div className="mt-4 border-t border-line pt-3">
          <ListFilters path={pagePath} query={query} />
        </div>
      </div>
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_280px]">
        <section aria-label="文档列表" className="card px-5 pt-1 md:px-6">
          <SortAndViewTabs path={pagePath} query={query} />
          <CategoryDocuments result={documentsQuery} path={pagePath} query={query} name={category?.title ?? ''} />
        </section>
        <aside className="max-lg:hidden">
          <div className="sticky top-22">
            {display.hide_keywords_on_lists ? null : <KeywordTags words={keywords} />}
          </div>
        </aside>
      </div>
    </main>
  );
}

/** The top categories, then the children of each category of the path. */
function categoryLevelsOnPath(roots: CategoryNode[], path: CategoryItem[]): CategoryNode[][] {
  const levels = [roots];
  for (const { id } of path) levels.push(levels.at(-1)?.find((node) => node.id === id)?.children ?? []);
  return levels;
}

function ChildCategories({ nodes }: { nodes: CategoryNode[] }) {
  if (nodes.length === 0) return null;
  return (
    <nav aria-label="子分类" className="mt-3">
      <ul className="-mx-5 flex gap-2 overflow-x-auto px-5 md:mx-0 md:flex-wrap md:px-0">
        {nodes.map(({ id, title, doc_count }) => (
          <li key={id}>
            <Link
              to={`/category/${id}`}
              className="inline-flex min-h-10 items-center gap-1.5 rounded-md border border-line px-3.5 text-14 whitespace-nowrap transition-colors hover:border-bean hover:text-bean"
            >
              {title}
              {doc_count > 0 ? <span className="text-12 text-ink-2">{doc_count}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
