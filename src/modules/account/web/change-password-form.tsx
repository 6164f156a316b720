import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type FieldRules, useForm } from '#platform/web/use-form.ts';
import { userApi, userErrors } from '../account.contract.ts';

const EMPTY_FORM = { old_password: '', new_password: '', repeat_password: '' };

const passwordRules: FieldRules<keyof typeof EMPTY_FORM> = {
  old_password: ({ old_password }) => (old_password ? '' : '请输入您的原密码'),
  new_password: ({ new_password }) => (new_password ? '' : '请输入您的新密码'),
  repeat_password: ({ new_password, repeat_password }) => {
    if (repeat_password === '') return '请再次输入您的新密码';
    return repeat_password === new_password ? '' : '新密码和确认密码不一致';
  },
};

/** Changes the password of the user; the server then ends the sessions on other devices. */
export function ChangePasswordForm({ userId, onDone }: { userId: number; onDone: () => void }) {
  const change = useAction(userApi.changePassword, { success: '密码修改成功', failure: '密码修改失败' });
  const { pending, bind, reset, setFieldErrors, submit } = useForm({
    initial: EMPTY_FORM,
    rules: passwordRules,
    send: async ({ old_password, new_password }) => {
      await change.runOrThrow({ id: userId, old_password, new_password });
      reset();
      onDone();
    },
    onError: (error) => {
      if (userErrors.wrongOldPassword.is(error)) setFieldErrors({ old_password: error.message });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Field label="原密码" type="password" autoComplete="current-password" {...bind('old_password')} />
      <Field label="新密码" type="password" autoComplete="new-password" {...bind('new_password')} />
      <Field label="确认密码" type="password" autoComplete="new-password" {...bind('repeat_password')} />
      <Button type="submit" className="mt-2 w-full" pending={pending}>
        修改密码
      </Button>
    </form>
  );
}
