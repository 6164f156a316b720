import { data, Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { searchApi, searchErrors } from '#modules/search/search.contract.ts';
import { SearchResults } from '#modules/search/web/search-results.tsx';
import { parseSearchParams, searchInputOf } from '#modules/search/web/search-url.ts';
import type { SearchResult } from '#modules/search/web/use-search.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { type PageLoad, serverLoader } from '#platform/web/page-loader.ts';
import { SearchBox } from '../search-box.tsx';
import { Logo } from '../top-bar.tsx';

const HEADER_CATEGORY_COUNT = 6;
const UNAVAILABLE_STATUS = 503;

/** The results for a visitor, so that the page is complete without scripts, or the reason why the search failed. */
type SearchData = { result?: SearchResult; failure?: string };

/** Checks the shape instead of the class, because server and bundle have different copies of the class. */
const isOutage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === searchErrors.unavailable.code;

const loadSearchPage: PageLoad<SearchData> = async (api, { request }) => {
  const query = parseSearchParams(new URL(request.url).searchParams);
  if (query.wd === '') return {};
  try {
    return { result: await api(searchApi.search, searchInputOf(query)) };
  } catch (error) {
    if (isOutage(error)) return { failure: error.message };
    throw error;
  }
};

export async function loader(args: LoaderFunctionArgs) {
  const searchData = await serverLoader(loadSearchPage)(args);
  return searchData.failure ? data(searchData, { status: UNAVAILABLE_STATUS }) : searchData;
}
/** The browser searches itself, with the session of the user. */
export const clientLoader = (): SearchData => ({});

export default function Search() {
  const { result, failure } = useLoaderData<SearchData>();
  const query = parseSearchParams(useSearchParams()[0]);
  const { wd } = query;
  // A phrase already contains quotes.
  const title = /["“”]/.test(wd) ? `${wd} 的搜索结果` : `“${wd}”的搜索结果`;
  return (
    <>
      <PageHead title={wd ? title : '文档搜索'} keywords={wd ? `${wd},文档搜索` : undefined} hidden />
      <SearchHeader word={wd} />
      <main className="page-width pt-4 pb-16 lg:pt-6">
        {wd ? <h1 className="sr-only">{title}</h1> : null}
        <div className="pb-4 lg:hidden">
          <SearchBox placeholder="请输入关键词" initial={wd} />
        </div>
        <SearchResults query={query} rendered={result} failure={failure} />
      </main>
    </>
  );
}

/** Replaces the top bar on desktop. */
function SearchHeader({ word }: { word: string }) {
  const roots = useVisibleCategories().slice(0, HEADER_CATEGORY_COUNT);
  const user = useUser();
  const loginHref = useLoginHref();
  const link = 'quiet-link inline-flex min-h-10 items-center px-2';
  return (
    <>
      <header className="bg-surface max-lg:hidden">
        <nav aria-label="主导航" className="page-width flex text-14">
          <Link to="/" className={`${link} -ml-2`}>
            首页
          </Link>
          {roots.map(({ id, title }) => (
            <Link key={id} to={`/category/${id}`} className={link}>
              {title}
            </Link>
          ))}
          <Link to="/upload" className={link}>
            上传文档
          </Link>
          <Link to={user ? `/user/${user.id}` : loginHref} className={`${link} -mr-2 ml-auto`}>
            {user ? '会员中心' : '登录账户'}
          </Link>
        </nav>
      </header>
      <div className="sticky top-0 z-30 border-b border-line bg-surface max-lg:hidden">
        <div className="page-width flex items-center gap-8 py-3">
          <Logo />
          <div className="w-full max-w-160">
            <SearchBox placeholder="请输入关键词" initial={word} />
          </div>
        </div>
      </div>
    </>
  );
}
