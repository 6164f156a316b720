import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime } from '#platform/contract/date-time.ts';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { type CreditMovement, creditApi } from '../credit.contract.ts';

const PAGE_SIZE = 20;

export function CreditList({ page, hrefOf }: { page: number; hrefOf: (page: number) => string }) {
  const { credit_name } = useSettings().system;
  const movements = useQueryPerUser(creditApi.list, { page, size: PAGE_SIZE });
  if (!movements.data) return <ListPlaceholder query={movements} />;
  const { credit, total } = movements.data;
  if (credit.length === 0) {
    return (
      <EmptyState picture={<EmptyShelfIllustration />} title={`还没有${credit_name || '豆'}的往来`}>
        每日签到、分享文档都会得到奖励，往来都记在这里。
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {credit.map((movement) => (
          <CreditMovementRow key={movement.id} {...movement} />
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function CreditMovementRow({ created_at, reason_label, amount, balance, note }: CreditMovement) {
  const { timezone } = useSettings().system;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 py-3.5">
      <p className="font-medium">{reason_label}</p>
      <p className={`text-right text-16 font-bold ${amount > 0 ? 'text-gold' : 'text-ink'}`} data-amount={amount}>
        {amount > 0 ? `+${amount}` : `−${Math.abs(amount)}`}
      </p>
      <p className="min-w-0 text-13 text-ink-2">
        <time dateTime={created_at}>{formatDateTime(created_at, timezone)}</time>
        {note ? <span className="max-md:block md:ml-3">{note}</span> : null}
      </p>
      <p className="text-right text-13 text-ink-2">余额 {balance}</p>
    </li>
  );
}
