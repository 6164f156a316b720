import { Link, redirect } from 'react-router';
import { LoginForm } from '#modules/access/web/login-form.tsx';
import { currentUser } from '#modules/access/web/session.ts';
import { BrandMark } from '#modules/settings/web/brand.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';

/** Who is logged in already has no business here. */
export function clientLoader() {
  const user = currentUser();
  if (user) throw redirect(`/user/${user.id}`);
  return null;
}
export const loader = () => null;
clientLoader.hydrate = true as const;

export default function Login() {
  const { system, security } = useSettings();
  return (
    <main
      className="grid min-h-[calc(100dvh-170px)] place-items-center bg-linear-to-b from-bean-soft to-paper bg-cover bg-center px-4 py-12"
      style={
        system.login_background
          ? { backgroundImage: `url(${JSON.stringify(system.login_background)})` }
          : undefined
      }
    >
      <PageHead title="用户登录" />
      <div className="card w-full max-w-105 p-6 md:p-10">
        <BrandMark className="size-9 text-bean" />
        <h1 className="mt-4 font-serif text-28 font-bold">登录{system.sitename}</h1>
        {security.is_close ? (
          <p className="mt-3 rounded-md bg-amber-soft px-3.5 py-2.5 text-14 text-amber">
            {security.close_statement || '网站暂时关闭，仅管理员可以登录'}
          </p>
        ) : null}
        <div className="mt-8">
          <LoginForm />
        </div>
        <div className="mt-4 flex justify-between text-14">
          <Link to="/findpassword" className="quiet-link inline-flex min-h-10 items-center">
            找回密码
          </Link>
          {security.enable_register ? (
            <Link to="/register" className="quiet-link inline-flex min-h-10 items-center">
              注册账户
            </Link>
          ) : null}
        </div>
      </div>
    </main>
  );
}
