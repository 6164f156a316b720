import { type FormEvent, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { userApi } from '../user.contract.ts';

const fields = [
  { name: 'old_password', label: '原密码', missing: '请输入您的原密码', auto: 'current-password' },
  { name: 'new_password', label: '新密码', missing: '请输入您的新密码', auto: 'new-password' },
  {
    name: 'repeat_password',
    label: '确认密码',
    missing: '请再次输入您的新密码',
    auto: 'new-password',
  },
] as const;
type Name = (typeof fields)[number]['name'];
type Values = Record<Name, string>;
const blank: Values = { old_password: '', new_password: '', repeat_password: '' };

/** Checked when a field is left and before anything is sent. */
export function passwordProblem(name: Name, values: Values): string {
  const missing = fields.find((field) => field.name === name)?.missing ?? '';
  if (values[name] === '') return missing;
  const differs = values.repeat_password !== '' && values.repeat_password !== values.new_password;
  return name === 'repeat_password' && differs ? '新密码和确认密码不一致' : '';
}

export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [values, setValues] = useState(blank);
  const [problems, setProblems] = useState<Partial<Values>>({});
  const [sending, setSending] = useState(false);
  const close = () => {
    setValues(blank);
    setProblems({});
    onClose();
  };

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = Object.fromEntries(
      fields.map(({ name }) => [name, passwordProblem(name, values)]),
    ) as Values;
    setProblems(found);
    if (Object.values(found).some(Boolean)) return;
    setSending(true);
    try {
      const { old_password, new_password } = values;
      await call(userApi.changePassword, { old_password, new_password });
      toast.success('密码修改成功');
      close();
    } catch (error) {
      toast.failure(error, '密码修改失败');
    } finally {
      setSending(false);
    }
  }

  return (
    <Dialog open={open} onClose={close} title="修改密码">
      <form onSubmit={submit} noValidate className="space-y-4">
        {fields.map(({ name, label, auto }) => (
          <Field
            key={name}
            label={label}
            type="password"
            autoComplete={auto}
            value={values[name]}
            error={problems[name]}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            onBlur={() => setProblems({ ...problems, [name]: passwordProblem(name, values) })}
          />
        ))}
        <Button type="submit" className="w-full" disabled={sending}>
          修改密码
        </Button>
      </form>
    </Dialog>
  );
}
