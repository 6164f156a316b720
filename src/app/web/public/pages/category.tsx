import { data, Link, useLoaderData } from 'react-router';
import { categoryApi } from '#modules/category/category.contract.ts';
import { Breadcrumb } from '#modules/category/web/breadcrumb.tsx';
import {
  ancestryOf,
  type CategoryItem,
  indexCategories,
} from '#modules/category/web/category-tree.ts';
import { CATEGORY_INPUT, useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { browserLoader, type Load, serverLoader } from '#platform/web/loader.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { Empty } from '#platform/web/ui/empty.tsx';
import { EmptyShelf } from '#platform/web/ui/illustrations.tsx';

/** Root first; empty on the page of all documents. */
type CategoryData = { path: CategoryItem[] };

const load: Load<CategoryData> = async (api, { params: { id } }) => {
  if (id === undefined) return { path: [] };
  const { category } = await api(categoryApi.list, CATEGORY_INPUT);
  const path = ancestryOf(indexCategories(category).map, Number(id));
  if (!path.at(-1)?.enable) throw data(null, { status: 404 });
  return { path };
};
export const loader = serverLoader(load);
export const clientLoader = browserLoader(load);

export default function CategoryPage() {
  const { path } = useLoaderData<CategoryData>();
  const children = path.reduce(
    (nodes, { id }) => nodes.find((node) => node.id === id)?.children ?? [],
    useVisibleCategories(),
  );
  const title = path.at(-1)?.title ?? '全部文档';
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={path.map((each) => each.title).join(' · ') || title}
        keywords={path.map((each) => each.title).join(',') || title}
        description={path.length > 0 ? `${title}分类的文档，可以在线阅读和下载。` : undefined}
        path={['/category', path.at(-1)?.id].filter(Boolean).join('/')}
      />
      <Breadcrumb path={path} />
      <h1 className="mt-2 font-serif text-28 font-bold">{title}</h1>
      {children.length > 0 ? (
        <nav aria-label="子分类" className="mt-5">
          <ul className="flex flex-wrap gap-2">
            {children.map((child) => (
              <li key={child.id}>
                <Link
                  to={`/category/${child.id}`}
                  className="inline-flex min-h-10 items-center rounded-md border border-line bg-surface px-4 text-14 transition-colors hover:border-bean hover:text-bean"
                >
                  {child.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <section aria-label="文档列表" className="card mt-6">
        <Empty
          picture={<EmptyShelf />}
          title="这一格书架还空着"
          action={<ButtonLink to="/upload">上传文档</ButtonLink>}
        >
          {path.length > 0 ? `“${title}”里还没有文档。` : '这里还没有文档。'}
          您可以成为第一个分享的人。
        </Empty>
      </section>
    </main>
  );
}
