import { Link } from 'react-router';

export const userTabs = {
  '': { title: '主页', isOwnerOnly: false },
  document: { title: '文档', isOwnerOnly: false },
  fans: { title: '粉丝', isOwnerOnly: false },
  favorite: { title: '收藏', isOwnerOnly: false },
  follow: { title: '关注', isOwnerOnly: false },
  history: { title: '阅读历史', isOwnerOnly: true },
  download: { title: '我的下载', isOwnerOnly: true },
  credit: { title: '明细', isOwnerOnly: true },
  security: { title: '账户安全', isOwnerOnly: true },
} as const;
export type UserTab = keyof typeof userTabs;
export const isUserTab = (name: string): name is UserTab => Object.hasOwn(userTabs, name);

export const userHref = (id: number, tab: UserTab = '') => (tab ? `/user/${id}/${tab}` : `/user/${id}`);

/** The name of the credit tab contains the name of the credits: 豆明细. */
export const tabTitle = (tab: UserTab, creditName: string) =>
  tab === 'credit' ? `${creditName || '豆'}明细` : userTabs[tab].title;

/** Centers the open tab, because on a phone the tabs are wider than the window. */
function scrollTabIntoView(openTab: HTMLElement | null) {
  const nav = openTab?.closest('nav');
  if (!openTab || !nav) return;
  nav.scrollLeft = openTab.offsetLeft - (nav.clientWidth - openTab.clientWidth) / 2;
}

export function UserTabs({
  id,
  tab,
  isOwner,
  creditName,
}: {
  id: number;
  tab: UserTab;
  isOwner: boolean;
  creditName: string;
}) {
  const visibleTabs = (Object.keys(userTabs) as UserTab[]).filter((name) => isOwner || !userTabs[name].isOwnerOnly);
  return (
    <nav aria-label="个人主页栏目" className="relative mt-6 overflow-x-auto border-b border-line">
      <ul className="flex">
        {visibleTabs.map((name) => (
          <li key={name}>
            <Link
              to={userHref(id, name)}
              preventScrollReset
              ref={name === tab ? scrollTabIntoView : undefined}
              aria-current={name === tab ? 'page' : undefined}
              className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-3 whitespace-nowrap md:px-4 text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 aria-[current]:border-bean aria-[current]:font-medium aria-[current]:text-bean"
            >
              {tabTitle(name, creditName)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
