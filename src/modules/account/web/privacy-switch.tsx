import { useState } from 'react';
import { useAction } from '#platform/web/use-action.ts';
import { userApi } from '../account.contract.ts';
import { refreshUserInBackground, useUser } from './session-store.ts';

export function PrivacySwitch({ name, label }: { name: 'hide_favorite' | 'hide_follow'; label: string }) {
  const user = useUser();
  // Shown until the server has answered.
  const [pendingValue, setPendingValue] = useState<boolean | null>(null);
  const update = useAction(userApi.updatePrivacy, {
    success: (_, input) => (input[name] ? '已对他人隐藏' : '已对他人公开'),
    failure: '设置失败',
    onDone: refreshUserInBackground,
  });
  const set = async (isHidden: boolean) => {
    setPendingValue(isHidden);
    await update.run({ [name]: isHidden });
    setPendingValue(null);
  };
  return (
    <label className="flex min-h-10 items-center gap-2 text-14 text-ink-2">
      <input
        type="checkbox"
        checked={pendingValue ?? user?.[name] ?? false}
        onChange={(event) => set(event.target.checked)}
        className="size-4.5 accent-bean"
      />
      {label}
    </label>
  );
}
