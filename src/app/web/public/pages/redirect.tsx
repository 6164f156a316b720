import { data, type LoaderFunctionArgs, type Params, redirect } from 'react-router';
import { userApi } from '#modules/account/account.contract.ts';
import { useSession } from '#modules/account/web/session-store.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { browserLoader, type PageLoad, serverLoader } from '#platform/web/page-loader.ts';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';

const isId = (name: string) => /^[1-9]\d{0,9}$/.test(name);

const redirectToUserPage: PageLoad<null> = async (api, { params: { user = '' } }) => {
  if (isId(user)) throw redirect(`/user/${user}`);
  if (user === '' || user.length > 64) throw data(null, { status: 404 });
  const { id } = await api(userApi.get, { username: user });
  throw redirect(`/user/${id}`);
};

type Args = { params: Params; request: Request };
/** The server does not know the user, so the browser decides the target of `/redirect/admin`. */
export const loader = (args: LoaderFunctionArgs) =>
  args.params.user === 'admin' ? null : serverLoader(redirectToUserPage)(args);

export function clientLoader(args: Args) {
  if (args.params.user === 'admin') throw redirect(useSession.getState().pages.length > 0 ? '/admin' : '/');
  return browserLoader(redirectToUserPage)(args);
}
clientLoader.hydrate = true as const;

export default function Redirect() {
  return (
    <main className="page-width min-h-[60vh] py-24 text-center text-ink-2">
      <PageHead title="正在跳转" hidden />
      <p className="noscript:hidden">正在跳转，请稍候</p>
      <NoScriptNotice className="mx-auto max-w-105" />
      <noscript>
        <a href="/" className="mt-4 inline-block text-bean">
          返回首页
        </a>
      </noscript>
    </main>
  );
}
