import { data, Link, useLoaderData, useSearchParams } from 'react-router';
import { categoryApi } from '#modules/category/category.contract.ts';
import { Breadcrumb } from '#modules/category/web/breadcrumb.tsx';
import {
  ancestryOf,
  type CategoryItem,
  type CategoryNode,
  indexCategories,
} from '#modules/category/web/category-tree.ts';
import { SiblingCrumbs } from '#modules/category/web/sibling-crumbs.tsx';
import { CATEGORY_INPUT, useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { documentApi } from '#modules/document/document.contract.ts';
import { CategoryDocuments, useCategoryDocuments } from '#modules/document/web/category-documents.tsx';
import { KeywordTags, keywordsOf } from '#modules/document/web/keyword-tags.tsx';
import { ListFilters, ListTabs } from '#modules/document/web/list-filters.tsx';
import { listInputOf, readListQuery } from '#modules/document/web/list-query.ts';
import type { DocumentListResult } from '#modules/document/web/user-documents.tsx';
import { breadcrumbJsonLd, PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { browserLoader, type Load, pageOf, serverLoader } from '#platform/web/loader.ts';

/** Root first; empty on the page of all documents. */
type CategoryData = { path: CategoryItem[]; page: number; shelf?: DocumentListResult };

const load: Load<CategoryData> = async (api, { params: { id }, request }) => {
  const page = pageOf(request);
  if (id === undefined) return { path: [], page };
  const { category } = await api(categoryApi.list, CATEGORY_INPUT);
  const path = ancestryOf(indexCategories(category).map, Number(id));
  if (!path.at(-1)?.enable) throw data(null, { status: 404 });
  return { path, page };
};

/** With what a visitor may read, so that the page is whole without scripts; the browser asks for itself. */
const loadWhole: Load<CategoryData> = async (api, args) => {
  const found = await load(api, args);
  const query = readListQuery(new URL(args.request.url).searchParams, found.page);
  return {
    ...found,
    shelf: await api(documentApi.list, listInputOf(query, found.path.at(-1)?.id)),
  };
};
export const loader = serverLoader(loadWhole);
export const clientLoader = browserLoader(load);

export default function CategoryPage() {
  const { path, page, shelf } = useLoaderData<CategoryData>();
  const query = readListQuery(useSearchParams()[0], page);
  const roots = useVisibleCategories();
  const here = path.at(-1);
  const found = useCategoryDocuments(here?.id, query, shelf);
  const title = here?.title ?? '全部文档';
  const address = here ? `/category/${here.id}` : '/category';
  const words = keywordsOf(found.data?.document ?? []);
  const levels = levelsOf(roots, path);
  const { display } = useSettings();
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={path.map((each) => each.title).join(' · ') || title}
        keywords={[...path.map((each) => each.title), ...words].join(',') || title}
        description={here ? `${title}分类的文档，可以在线阅读和下载。` : undefined}
        path={address}
        feed={here ? address : ''}
        data={(absolute) => [
          breadcrumbJsonLd(
            absolute,
            (here ? path : [{ id: null, title }]).map(({ id, title }) => ({
              title,
              path: id === null ? address : `/category/${id}`,
            })),
          ),
        ]}
      />
      <div className="card px-5 py-4 md:px-6">
        <Breadcrumb
          path={path}
          besideOf={(id) => <SiblingCrumbs id={id} siblings={levels[path.findIndex((each) => each.id === id)] ?? []} />}
        />
        <h1 className="mt-1 font-serif text-28 font-bold">{title}</h1>
        <Children nodes={levels.at(-1) ?? []} />
        <div className="mt-4 border-t border-line pt-3">
          <ListFilters path={address} query={query} />
        </div>
      </div>
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_280px]">
        <section aria-label="文档列表" className="card px-5 pt-1 md:px-6">
          <ListTabs path={address} query={query} />
          <CategoryDocuments result={found} path={address} query={query} name={here?.title ?? ''} />
        </section>
        <aside className="max-lg:hidden">
          <div className="sticky top-22">{display.hide_keywords_on_lists ? null : <KeywordTags words={words} />}</div>
        </aside>
      </div>
    </main>
  );
}

/** The top categories, then at each step of the path those below it. */
function levelsOf(roots: CategoryNode[], path: CategoryItem[]): CategoryNode[][] {
  const levels = [roots];
  for (const { id } of path) levels.push(levels.at(-1)?.find((node) => node.id === id)?.children ?? []);
  return levels;
}

/** The categories below; on the page of all documents the top ones. */
function Children({ nodes }: { nodes: CategoryNode[] }) {
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
