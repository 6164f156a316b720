import { useState } from 'react';
import { userApi } from '#modules/user/user.contract.ts';
import { call } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { refreshUser, useUser } from './session.ts';

/** Whether others see a part of the own home. */
export function PrivacySwitch({
  name,
  label,
}: {
  name: 'hide_favorite' | 'hide_follow';
  label: string;
}) {
  const user = useUser();
  const [pending, setPending] = useState(false);
  const set = async (hidden: boolean) => {
    setPending(true);
    try {
      await call(userApi.updatePrivacy, { [name]: hidden });
      await refreshUser();
      toast.success(hidden ? '已对他人隐藏' : '已对他人公开');
    } catch (error) {
      toast.failure(error, '设置失败');
    }
    setPending(false);
  };
  return (
    <label className="flex min-h-10 items-center gap-2 text-14 text-ink-2">
      <input
        type="checkbox"
        checked={user?.[name] ?? false}
        disabled={pending}
        onChange={(event) => set(event.target.checked)}
        className="size-4.5 accent-bean"
      />
      {label}
    </label>
  );
}
