import type { LoaderFunctionArgs } from 'react-router';
import { LoginForm } from '#modules/account/web/login-form.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Notice } from '#platform/web/ui/notice.tsx';
import { AuthFrame, AuthLink, redirectLoggedInUser } from '../auth-frame.tsx';

export const clientLoader = (args: LoaderFunctionArgs) => redirectLoggedInUser(args);
clientLoader.hydrate = true as const;
export const loader = () => null;

export default function Login() {
  const { system, security } = useSettings();
  return (
    <AuthFrame title={`登录${system.sitename}`} background={system.login_background}>
      <PageHead title="用户登录" />
      {security.is_close ? (
        <div className="mb-6">
          <Notice tone="warning">{security.close_statement || '网站暂时关闭，仅管理员可以登录'}</Notice>
        </div>
      ) : security.login_required ? (
        <p className="-mt-3 mb-5 text-14 text-ink-2">登录后才能访问本站</p>
      ) : null}
      <LoginForm />
      <div className="mt-4 flex justify-between text-14">
        <AuthLink to="/findpassword">找回密码</AuthLink>
        {security.enable_register && !security.is_close ? <AuthLink to="/register">注册账户</AuthLink> : null}
      </div>
    </AuthFrame>
  );
}
