import { data, type Params, redirect } from 'react-router';
import { currentUser, useSession } from '#modules/access/web/session.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';

type Args = { params: Params };
const isId = (name: string) => /^[1-9]\d{0,9}$/.test(name);

/** The server does not know the visitor: `admin` is decided in the browser. */
export function loader({ params: { user = '' } }: Args) {
  if (user === 'admin') return null;
  if (isId(user)) throw redirect(`/user/${user}`);
  throw data(null, { status: 404 });
}

/** `admin` to the back-office for those who may enter, an id or the own name to that home; never off the site. */
export function clientLoader({ params: { user = '' } }: Args) {
  if (user === 'admin') throw redirect(useSession.getState().pages.length > 0 ? '/admin' : '/');
  if (isId(user)) throw redirect(`/user/${user}`);
  const own = currentUser();
  if (own?.username === user) throw redirect(`/user/${own.id}`);
  throw data(null, { status: 404 });
}
clientLoader.hydrate = true as const;

export default function Redirect() {
  return (
    <main className="page-width min-h-[60vh] py-24 text-center text-ink-2">
      <PageHead title="正在跳转" hidden />
      <p>正在跳转，请稍候</p>
      <noscript>
        <a href="/">返回首页</a>
      </noscript>
    </main>
  );
}
