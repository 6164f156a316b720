import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck, Check } from 'lucide-react';
import { invalidateUser } from '#modules/account/web/session.ts';
import { useAccountQuery } from '#modules/account/web/use-account-query.ts';
import { call, queryKeyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { checkInApi } from '../check-in.contract.ts';

/** Once a day, for beans. */
export function CheckInButton({ className = '', onSigned }: { className?: string; onSigned?: () => void }) {
  const client = useQueryClient();
  const { data } = useAccountQuery(checkInApi.today, {});
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(checkInApi.sign, {}),
    onSuccess: async ({ award = 0 }) => {
      toast.success(`签到成功，获得 ${award} 个二黄豆奖励`);
      onSigned?.();
      await invalidateUser();
    },
    onError: (error) => toast.failure(error, '签到失败'),
    // Also after a failure: another device may have been first.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeyOf(checkInApi.today) }),
  });
  const signed = (data?.id ?? 0) > 0;
  const Icon = signed ? Check : CalendarCheck;
  return (
    <Button variant="gold" className={className} disabled={signed || isPending} onClick={() => mutate()}>
      <Icon aria-hidden="true" className="size-4" />
      {signed ? '今日已签到' : '每日签到'}
    </Button>
  );
}
