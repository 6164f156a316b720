import { LoaderCircle } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useHydrated } from '#platform/web/hydrated.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { safeRedirect } from './safe-redirect.ts';
import { login } from './session.ts';

export function LoginForm() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const hydrated = useHydrated();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    setFailure('');
    try {
      await login({
        username: String(form.get('username')),
        password: String(form.get('password')),
      });
      toast.success('登录成功');
      await navigate(safeRedirect(search.get('redirect')), { replace: true });
    } catch (error) {
      setFailure((error instanceof Error && error.message) || '登录失败');
    } finally {
      setPending(false);
    }
  }

  return (
    // POST, so that a submit before the script runs never puts a password into the address.
    <form method="post" onSubmit={submit} className="space-y-5">
      <Field
        label="用户名"
        name="username"
        autoComplete="username"
        placeholder="用户名或邮箱"
        required
      />
      <Field
        label="密码"
        name="password"
        type="password"
        autoComplete="current-password"
        placeholder="登录密码"
        required
      />
      <p
        role="alert"
        className="rounded-md bg-red-soft px-3.5 py-2.5 text-14 text-red empty:hidden"
      >
        {failure}
      </p>
      <Button type="submit" size="lg" className="w-full" disabled={!hydrated || pending}>
        {pending ? <LoaderCircle aria-hidden="true" className="size-5 animate-spin" /> : null}
        登录
      </Button>
    </form>
  );
}
