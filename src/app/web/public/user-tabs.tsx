import { Link } from 'react-router';

/** The child screens of a user's home; `own` ones are for its owner alone. */
export const userTabs = {
  '': { title: '主页', own: false },
  document: { title: '文档', own: false },
  fans: { title: '粉丝', own: false },
  favorite: { title: '收藏', own: false },
  follow: { title: '关注', own: false },
  history: { title: '阅读历史', own: true },
  download: { title: '我的下载', own: true },
  credit: { title: '明细', own: true },
  security: { title: '账户安全', own: true },
} as const;
export type UserTab = keyof typeof userTabs;
export const isUserTab = (name: string): name is UserTab => Object.hasOwn(userTabs, name);

export const userHref = (id: number, tab: UserTab = '') => (tab ? `/user/${id}/${tab}` : `/user/${id}`);

/** 明细 is named after the currency: 豆明细. */
export const tabTitle = (tab: UserTab, creditName: string) =>
  tab === 'credit' ? `${creditName || '豆'}明细` : userTabs[tab].title;

/** On a phone the tabs are wider than the window: the one that is open shall be seen. */
function bringIntoView(open: HTMLElement | null) {
  const nav = open?.closest('nav');
  if (!open || !nav) return;
  nav.scrollLeft = open.offsetLeft - (nav.clientWidth - open.clientWidth) / 2;
}

export function UserTabs({ id, tab, own, creditName }: { id: number; tab: UserTab; own: boolean; creditName: string }) {
  const shown = (Object.keys(userTabs) as UserTab[]).filter((name) => own || !userTabs[name].own);
  return (
    <nav aria-label="个人主页栏目" className="relative mt-6 overflow-x-auto border-b border-line">
      <ul className="flex">
        {shown.map((name) => (
          <li key={name}>
            <Link
              to={userHref(id, name)}
              preventScrollReset
              ref={name === tab ? bringIntoView : undefined}
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
