import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck, Check } from 'lucide-react';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { checkInApi } from '../check-in.contract.ts';

export function CheckInButton({ className = '', onCheckedIn }: { className?: string; onCheckedIn?: () => void }) {
  const client = useQueryClient();
  const { data } = useQueryPerUser(checkInApi.today, {});
  const { mutate, isPending } = useMutation({
    mutationFn: () => callEndpoint(checkInApi.sign, {}),
    onSuccess: async ({ award = 0 }) => {
      toast.success(`签到成功，获得 ${award} 个二黄豆奖励`);
      onCheckedIn?.();
      await refreshUserInBackground();
    },
    onError: (error) => toast.failure(error, '签到失败'),
    // Also after a failure, because the user may have checked in on another device.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeyOf(checkInApi.today) }),
  });
  const hasCheckedIn = (data?.id ?? 0) > 0;
  const Icon = hasCheckedIn ? Check : CalendarCheck;
  return (
    <Button variant="gold" className={className} disabled={hasCheckedIn || isPending} onClick={() => mutate()}>
      <Icon aria-hidden="true" className="size-4" />
      {hasCheckedIn ? '今日已签到' : '每日签到'}
    </Button>
  );
}
