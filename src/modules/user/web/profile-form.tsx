import { call } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field, TextArea } from '#platform/web/ui/field.tsx';
import { useForm } from '#platform/web/use-form.ts';
import { type User, userApi } from '../user.contract.ts';
import { emailProblem } from './email-problem.ts';

/** What a user may change of the own account. */
export const editable = ({ email, realname, identity, mobile, address, signature }: User) => ({
  email,
  realname,
  identity,
  mobile,
  address,
  signature,
});

export function ProfileForm({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { pending, bind, submit } = useForm({
    initial: editable(user),
    rules: { email: ({ email }) => emailProblem(email) },
    send: async (values) => {
      await call(userApi.updateProfile, values);
      toast.success('修改成功');
      onSaved();
    },
    failed: (error) => toast.failure(error, '修改失败'),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Field label="用户名" value={user.username} readOnly hint="用户名不能修改" />
      <div className="grid gap-x-4 md:grid-cols-2">
        <Field label="真实姓名" autoComplete="name" {...bind('realname')} />
        <Field label="身份证号" autoComplete="off" {...bind('identity')} />
        <Field label="联系邮箱" type="email" autoComplete="email" {...bind('email')} />
        <Field label="联系电话" type="tel" autoComplete="tel" {...bind('mobile')} />
      </div>
      <TextArea label="联系地址" rows={3} autoComplete="street-address" {...bind('address')} />
      <TextArea label="个性签名" rows={3} {...bind('signature')} />
      <Button type="submit" className="mt-2 w-full" pending={pending}>
        修改资料
      </Button>
    </form>
  );
}
