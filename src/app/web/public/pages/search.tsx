import { Link, useSearchParams } from 'react-router';
import { useUser } from '#modules/access/web/session.ts';
import { useLoginHref } from '#modules/access/web/use-login-href.ts';
import { useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { SearchBox } from '../search-box.tsx';
import { Logo } from '../top-bar.tsx';
import { UnderConstruction } from '../under-construction.tsx';

const HEADER_CATEGORIES = 6;

export default function Search() {
  const word = useSearchParams()[0].get('wd')?.trim() ?? '';
  return (
    <>
      <PageHead
        title={word ? `“${word}”的搜索结果` : '文档搜索'}
        keywords={word ? `${word},文档搜索` : undefined}
        hidden
      />
      <SearchHeader word={word} />
      <UnderConstruction title={word ? `搜索“${word}”` : '文档搜索'}>
        全文检索正在建设，开放后可以搜到文档的每一页。目前请按分类浏览。
      </UnderConstruction>
    </>
  );
}

/** Stands in for the top bar on desktops. */
function SearchHeader({ word }: { word: string }) {
  const roots = useVisibleCategories().slice(0, HEADER_CATEGORIES);
  const user = useUser();
  const loginHref = useLoginHref();
  const link = 'quiet-link inline-flex min-h-10 items-center px-2';
  return (
    <header className="border-b border-line bg-surface max-lg:hidden">
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
      <div className="page-width flex items-center gap-8 pt-2 pb-6">
        <Logo />
        <div className="w-full max-w-160">
          {/* A new word in the address is a new box. */}
          <SearchBox key={word} placeholder="请输入关键词" initial={word} />
        </div>
      </div>
    </header>
  );
}
