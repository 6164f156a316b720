import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { CheckInButton } from '#modules/check-in/web/check-in-button.tsx';
import { TypeTag } from '#modules/document/web/type-tag.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime } from '#platform/contract/date-time.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { type DownloadOffer, downloadErrors } from '../download.contract.ts';
import { type Downloadable, downloadOfferQuery } from './download-offer.ts';
import { useDownload } from './use-download.ts';

type Props = { document: Downloadable; onClose: () => void; onBought?: () => void };

/**
 * Shows the price, the balance and the contents of a purchase, and asks for confirmation; or shows why the download is
 * not possible.
 */
export function DownloadDialog({ document, onClose, onBought }: Props) {
  const user = useUser();
  const offer = useQueryWithMinimumLoading(downloadOfferQuery(document.id, user?.id ?? 0));
  const isBuying = (offer.data?.cost ?? 0) > 0;
  return (
    <Dialog open onClose={onClose} title={isBuying ? '购买并下载' : '下载文档'}>
      <p className="flex items-center gap-2.5">
        <TypeTag extension={document.ext} />
        <span className="line-clamp-2 min-w-0 font-medium">{document.title}</span>
      </p>
      {offer.data ? (
        <>
          <PurchaseBenefits document={document} offer={offer.data} />
          {isBuying ? <PriceSummary offer={offer.data} isLoggedIn={user !== null} /> : null}
          <NextAction
            document={document}
            onClose={onClose}
            onBought={onBought}
            offer={offer.data}
            onSigned={() => offer.refetch()}
          />
        </>
      ) : (
        <ListPlaceholder query={offer} rows={2} />
      )}
    </Dialog>
  );
}

function PurchaseBenefits({ document, offer }: { document: Downloadable; offer: DownloadOffer }) {
  const { timezone } = useSettings().system;
  const purchaseText = offer.bought_until
    ? `已购买，${formatDateTime(offer.bought_until, timezone)} 前不再付费`
    : '已购买，不再付费';
  const benefits = [
    `原文件：${document.ext.replace('.', '').toUpperCase()}，${formatSize(document.size)}`,
    offer.cost > 0 && document.pages > 0 ? `在线阅读全文，共 ${document.pages} 页` : '',
    offer.cost > 0 ? (offer.holds_days > 0 ? `${offer.holds_days} 天内重新下载不再付费` : '以后重新下载不再付费') : '',
    offer.is_bought ? purchaseText : '',
    offer.left_today >= 0 && offer.may_download ? `今天还可以下载 ${offer.left_today} 次` : '',
  ].filter(Boolean);
  return (
    <ul className="mt-4 space-y-1.5 text-14">
      {benefits.map((benefit) => (
        <li key={benefit} className="flex items-baseline gap-2">
          <Check aria-hidden="true" className="size-4 shrink-0 translate-y-0.5 text-bean" />
          {benefit}
        </li>
      ))}
    </ul>
  );
}

function PriceSummary({ offer, isLoggedIn }: { offer: DownloadOffer; isLoggedIn: boolean }) {
  const unit = useSettings().system.credit_name || '豆';
  const { cost, balance } = offer;
  const lines: [string, string, string?][] = [
    ['售价', `${cost} ${unit}`, 'text-gold font-bold'],
    ...(isLoggedIn
      ? ([
          ['我的余额', `${balance} ${unit}`],
          balance >= cost
            ? ['购买后剩余', `${balance - cost} ${unit}`]
            : ['还差', `${cost - balance} ${unit}`, 'text-red'],
        ] as [string, string, string?][])
      : []),
  ];
  return (
    <dl className="mt-4 rounded-md bg-sunken px-4 py-3 text-14">
      {lines.map(([label, value, tone = '']) => (
        <div key={label} className="flex justify-between gap-4 py-0.5">
          <dt className="text-ink-2">{label}</dt>
          <dd className={`tabular-nums ${tone}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const needsLogin = [downloadErrors.loginRequired.code, downloadErrors.paidNeedsLogin.code];

type NextActionProps = Props & { offer: DownloadOffer; onSigned: () => void };

/** The next possible action of the user. */
function NextAction({ document, offer, onClose, onBought, onSigned }: NextActionProps) {
  const loginHref = useLoginHref();
  const unit = useSettings().system.credit_name || '豆';
  const { download, pending } = useDownload(document.id, onBought);
  const { code, message, cost } = offer;
  if (needsLogin.includes(code))
    return (
      <RejectionNotice message={message}>
        <ButtonLink to={loginHref.replace('/login', '/register')} variant="outline">
          注册账户
        </ButtonLink>
        <ButtonLink to={loginHref}>登录</ButtonLink>
      </RejectionNotice>
    );
  if (code === downloadErrors.insufficient.code)
    return (
      <RejectionNotice message={message} hint={`每天签到、上传文档可以得到${unit}；您的文档被购买时，售价归您。`}>
        <ButtonLink to="/upload" variant="outline">
          上传文档
        </ButtonLink>
        <CheckInButton onCheckedIn={onSigned} />
      </RejectionNotice>
    );
  if (!offer.may_download)
    return (
      <RejectionNotice message={message}>
        <Button variant="outline" onClick={onClose}>
          关闭
        </Button>
      </RejectionNotice>
    );
  const confirm = async () => {
    if (await download(cost)) onClose();
  };
  return (
    <DialogActions>
      <Button variant="outline" onClick={onClose}>
        取消
      </Button>
      <Button pending={pending} onClick={confirm}>
        {cost > 0 ? `支付 ${cost} ${unit}并下载` : '下载'}
      </Button>
    </DialogActions>
  );
}

function RejectionNotice({ message, hint, children }: { message: string; hint?: string; children: ReactNode }) {
  return (
    <>
      <div className="mt-4">
        <Notice tone="warning">{message}</Notice>
      </div>
      {hint ? <p className="mt-3 text-14 text-ink-2">{hint}</p> : null}
      <DialogActions>{children}</DialogActions>
    </>
  );
}

const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
);
