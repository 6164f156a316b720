import type { LoaderFunctionArgs } from 'react-router';
import { RegisterForm } from '#modules/registration/web/register-form.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Notice } from '#platform/web/ui/notice.tsx';
import { AuthFrame, AuthLink, redirectLoggedInUser } from '../auth-frame.tsx';

export const clientLoader = (args: LoaderFunctionArgs) => redirectLoggedInUser(args);
clientLoader.hydrate = true as const;
export const loader = () => null;

export default function Register() {
  const { system, security } = useSettings();
  const closedReason = security.is_close
    ? security.close_statement || '网站已关闭，暂时不允许注册'
    : security.enable_register
      ? ''
      : '网站暂未开放用户注册';
  return (
    <AuthFrame title="注册账户" background={system.register_background}>
      <PageHead title="用户注册" />
      {closedReason ? <Notice tone="warning">{closedReason}</Notice> : <RegisterForm />}
      <p className="mt-4 flex items-center gap-1 text-14 text-ink-2">
        已有账户？
        <AuthLink to="/login">去登录</AuthLink>
      </p>
    </AuthFrame>
  );
}
