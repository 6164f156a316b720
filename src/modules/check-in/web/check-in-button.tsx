import { CalendarCheck, Check } from 'lucide-react';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { checkInApi } from '../check-in.contract.ts';

export function CheckInButton({ className = '', onCheckedIn }: { className?: string; onCheckedIn?: () => void }) {
  const { data } = useQueryPerUser(checkInApi.today, {});
  const checkIn = useAction(checkInApi.sign, {
    success: ({ award = 0 }) => `签到成功，获得 ${award} 个二黄豆奖励`,
    failure: '签到失败',
    invalidates: [checkInApi.today],
    // The user may have checked in on another device.
    invalidatesAfterFailure: true,
    onDone: async () => {
      onCheckedIn?.();
      await refreshUserInBackground();
    },
  });
  const hasCheckedIn = (data?.id ?? 0) > 0;
  const Icon = hasCheckedIn ? Check : CalendarCheck;
  return (
    <Button
      variant="gold"
      className={className}
      disabled={hasCheckedIn || checkIn.isPending}
      onClick={() => checkIn.run({})}
    >
      <Icon aria-hidden="true" className="size-4" />
      {hasCheckedIn ? '今日已签到' : '每日签到'}
    </Button>
  );
}
