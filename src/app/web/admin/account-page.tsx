import { accountApi } from '#modules/access/account.contract.ts';
import { type AccountAction, AccountScreen } from '#modules/access/web/admin/account-screen.tsx';
import { AdjustCredit } from '#modules/credit/web/admin/adjust-credit.tsx';

/** Beans lie above accounts in the order of modules, so they meet here. */
const actions: AccountAction[] = [
  {
    key: 'credit',
    label: '调整积分',
    render: ({ id, username, credit_count }, onClose) => (
      <AdjustCredit
        userId={id}
        username={username}
        balance={credit_count}
        reread={[accountApi.list]}
        onClose={onClose}
      />
    ),
  },
];

export const AccountPage = () => <AccountScreen actions={actions} />;
