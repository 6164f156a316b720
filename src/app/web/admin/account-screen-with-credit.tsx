import { useMemo } from 'react';
import { creditApi } from '#modules/credit/credit.contract.ts';
import { AdjustCreditDialog } from '#modules/credit/web/admin/adjust-credit-dialog.tsx';
import { accountApi } from '#modules/role/manage-accounts.contract.ts';
import { type AccountAction, AccountScreen } from '#modules/role/web/admin/account-screen.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';

/** The account module must not depend on credits, so the app adds the credit action to the account screen. */
export function AccountScreenWithCredit() {
  const creditName = useSettings().system.credit_name || '豆';
  const actions = useMemo<AccountAction[]>(
    () => [
      {
        label: `调整${creditName}`,
        calls: [creditApi.adjust],
        render: ({ id, username, credit_count }, onClose) => (
          <AdjustCreditDialog
            userId={id}
            username={username}
            balance={credit_count}
            invalidates={[accountApi.list]}
            onClose={onClose}
          />
        ),
      },
    ],
    [creditName],
  );
  return <AccountScreen actions={actions} />;
}
