import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { userApi } from '../account.contract.ts';
import { refreshUser, useUser } from './session.ts';

/** Whether others see a part of the own home. */
export function PrivacySwitch({ name, label }: { name: 'hide_favorite' | 'hide_follow'; label: string }) {
  const user = useUser();
  // Shown at once; what the server knows comes after.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const set = async (hidden: boolean) => {
    setWanted(hidden);
    try {
      await call(userApi.updatePrivacy, { [name]: hidden });
      await refreshUser();
      toast.success(hidden ? '已对他人隐藏' : '已对他人公开');
    } catch (error) {
      toast.failure(error, '设置失败');
    }
    setWanted(null);
  };
  return (
    <label className="flex min-h-10 items-center gap-2 text-14 text-ink-2">
      <input
        type="checkbox"
        checked={wanted ?? user?.[name] ?? false}
        onChange={(event) => set(event.target.checked)}
        className="size-4.5 accent-bean"
      />
      {label}
    </label>
  );
}
