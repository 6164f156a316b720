import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '#modules/account/web/session.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { CheckInButton } from '#modules/check-in/web/check-in-button.tsx';
import { TypeTag } from '#modules/document/web/type-tag.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, formatSize } from '#platform/contract/format.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { ListState } from '#platform/web/ui/list-state.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { useFetch } from '#platform/web/use-fetch.ts';
import { type DownloadOffer, downloadErrors } from '../download.contract.ts';
import { type Downloadable, offerOf } from './offer.ts';
import { useDownload } from './use-download.ts';

type Props = { document: Downloadable; onClose: () => void; onBought?: () => void };

/** What a download costs, what one has and gets, and the confirmation; or why it cannot be. */
export function DownloadDialog({ document, onClose, onBought }: Props) {
  const user = useUser();
  const offer = useFetch(offerOf(document.id, user?.id ?? 0));
  const isBuying = (offer.data?.cost ?? 0) > 0;
  return (
    <Dialog open onClose={onClose} title={isBuying ? '购买并下载' : '下载文档'}>
      <p className="flex items-center gap-2.5">
        <TypeTag extension={document.ext} />
        <span className="line-clamp-2 min-w-0 font-medium">{document.title}</span>
      </p>
      {offer.data ? (
        <>
          <Gains document={document} offer={offer.data} />
          {isBuying ? <Reckoning offer={offer.data} isKnown={user !== null} /> : null}
          <Answer
            document={document}
            onClose={onClose}
            onBought={onBought}
            offer={offer.data}
            onSigned={() => offer.refetch()}
          />
        </>
      ) : (
        <ListState found={offer} rows={2} />
      )}
    </Dialog>
  );
}

function Gains({ document, offer }: { document: Downloadable; offer: DownloadOffer }) {
  const { timezone } = useSettings().system;
  const held = offer.bought_until
    ? `已购买，${formatDateTime(offer.bought_until, timezone)} 前不再付费`
    : '已购买，不再付费';
  const gains = [
    `原文件：${document.ext.replace('.', '').toUpperCase()}，${formatSize(document.size)}`,
    offer.cost > 0 && document.pages > 0 ? `在线阅读全文，共 ${document.pages} 页` : '',
    offer.cost > 0 ? (offer.holds_days > 0 ? `${offer.holds_days} 天内重新下载不再付费` : '以后重新下载不再付费') : '',
    offer.is_bought ? held : '',
    offer.left_today >= 0 && offer.may_download ? `今天还可以下载 ${offer.left_today} 次` : '',
  ].filter(Boolean);
  return (
    <ul className="mt-4 space-y-1.5 text-14">
      {gains.map((gain) => (
        <li key={gain} className="flex items-baseline gap-2">
          <Check aria-hidden="true" className="size-4 shrink-0 translate-y-0.5 text-bean" />
          {gain}
        </li>
      ))}
    </ul>
  );
}

function Reckoning({ offer, isKnown }: { offer: DownloadOffer; isKnown: boolean }) {
  const unit = useSettings().system.credit_name || '豆';
  const { cost, balance } = offer;
  const lines: [string, string, string?][] = [
    ['售价', `${cost} ${unit}`, 'text-gold font-bold'],
    ...(isKnown
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

type AnswerProps = Props & { offer: DownloadOffer; onSigned: () => void };

/** The one thing to do next. */
function Answer({ document, offer, onClose, onBought, onSigned }: AnswerProps) {
  const loginHref = useLoginHref();
  const unit = useSettings().system.credit_name || '豆';
  const { download, pending } = useDownload(document.id, onBought);
  const { code, message, cost } = offer;
  if (needsLogin.includes(code))
    return (
      <Refused message={message}>
        <ButtonLink to={loginHref.replace('/login', '/register')} variant="outline">
          注册账户
        </ButtonLink>
        <ButtonLink to={loginHref}>登录</ButtonLink>
      </Refused>
    );
  if (code === downloadErrors.insufficient.code)
    return (
      <Refused message={message} hint={`每天签到、上传文档可以得到${unit}；您的文档被购买时，售价归您。`}>
        <ButtonLink to="/upload" variant="outline">
          上传文档
        </ButtonLink>
        <CheckInButton onSigned={onSigned} />
      </Refused>
    );
  if (!offer.may_download)
    return (
      <Refused message={message}>
        <Button variant="outline" onClick={onClose}>
          关闭
        </Button>
      </Refused>
    );
  const confirm = async () => {
    if (await download(cost)) onClose();
  };
  return (
    <Actions>
      <Button variant="outline" onClick={onClose}>
        取消
      </Button>
      <Button pending={pending} onClick={confirm}>
        {cost > 0 ? `支付 ${cost} ${unit}并下载` : '下载'}
      </Button>
    </Actions>
  );
}

function Refused({ message, hint, children }: { message: string; hint?: string; children: ReactNode }) {
  return (
    <>
      <div className="mt-4">
        <Notice tone="warning">{message}</Notice>
      </div>
      {hint ? <p className="mt-3 text-14 text-ink-2">{hint}</p> : null}
      <Actions>{children}</Actions>
    </>
  );
}

const Actions = ({ children }: { children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
);
