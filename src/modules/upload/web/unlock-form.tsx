import { useRef } from 'react';
import { decryptionErrors } from '#modules/conversion/decryption.contract.ts';
import { documentFileApi } from '#modules/document/document-file.contract.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { errorMessageOf, useForm } from '#platform/web/use-form.ts';

const rules = {
  password: ({ password }: { password: string }) => (password ? '' : '请输入文档密码'),
};

/** A wrong password stays in the field for correction. */
export function UnlockForm({ id, onUnlocked }: { id: number; onUnlocked: () => Promise<unknown> }) {
  const field = useRef<HTMLInputElement>(null);
  const { pending, bind, setFieldErrors, submit } = useForm({
    initial: { password: '' },
    rules,
    send: async ({ password }) => {
      await callEndpoint(
        documentFileApi.unlock,
        { id, password },
        { isExpectedError: decryptionErrors.wrongPassword.is },
      );
      toast.success('解锁成功');
      await onUnlocked();
    },
    onError: (error) => {
      setFieldErrors({ password: errorMessageOf(error) || '解锁失败，请重试' });
      field.current?.focus();
    },
  });
  return (
    <form onSubmit={submit} noValidate className="md:w-96">
      <Field
        {...bind('password')}
        ref={field}
        label="文档密码"
        type="password"
        autoComplete="off"
        maxLength={255}
        beside={
          <Button type="submit" className="h-11" pending={pending}>
            解锁
          </Button>
        }
      />
    </form>
  );
}
