import { type LoaderFunctionArgs, useSearchParams } from 'react-router';
import { RequestPasswordResetForm } from '#modules/account/web/request-password-reset-form.tsx';
import { ResetPasswordForm } from '#modules/account/web/reset-password-form.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { AuthFrame, AuthLink, redirectLoggedInUser } from '../auth-frame.tsx';

export const clientLoader = (args: LoaderFunctionArgs) => redirectLoggedInUser(args);
clientLoader.hydrate = true as const;
export const loader = () => null;

export default function FindPassword() {
  const { system } = useSettings();
  const [search] = useSearchParams();
  const token = search.get('token');
  const email = search.get('email');
  return (
    <AuthFrame title="找回密码" background={system.login_background}>
      <PageHead title="找回密码" hidden={token !== null} />
      {token && email ? <ResetPasswordForm email={email} token={token} /> : <RequestPasswordResetForm />}
      <p className="mt-4 flex items-center gap-1 text-14 text-ink-2">
        想起密码了？
        <AuthLink to="/login">去登录</AuthLink>
      </p>
    </AuthFrame>
  );
}
