import { type ReactNode, useEffect } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { Notice } from '#platform/web/ui/notice.tsx';
import { type Document, documentStatus } from '../document.contract.ts';
import type { DocumentEncryption } from '../encryption.contract.ts';
import { useConversionProgress } from './use-conversion-progress.ts';

const statusTexts: Record<number, string> = {
  0: '文档正在排队，转换后即可阅读',
  1: '文档正在转换，请稍候',
  3: '文档转换失败',
  4: '文档已禁用，只有您和管理员可以看到',
  5: '文档正在排队重新转换',
  6: '文档正在等待审核，通过后大家就能看到',
  7: '文档没有通过审核',
};

/** Owners and reviewers read a document under review while it is converted. */
const isReadableAt = ({ status, ready_pages }: Pick<Document, 'status' | 'ready_pages'>): boolean =>
  status === documentStatus.converted || (status === documentStatus.underReview && ready_pages > 0);

/** Shown while a document is not fully readable. `onReadable` is called once it becomes readable. */
export function StateBanner({
  document,
  onReadable,
  failurePanel,
}: {
  document: Document;
  onReadable: () => void;
  /** Replaces or unlocks the file; the upload module, which depends on this one, provides it. */
  failurePanel: (encryption: DocumentEncryption) => ReactNode;
}) {
  const row = useConversionProgress(
    document.status === documentStatus.converted && document.ready_pages >= document.pages ? 0 : document.id,
  );
  const { status, pages, ready_pages } = row ?? document;
  const isReadable = isReadableAt(row ?? document);
  const wasReadable = isReadableAt(document);
  const isOwner = useUser()?.id === document.user_id;
  useEffect(() => {
    if (isReadable && !wasReadable) onReadable();
  }, [isReadable, wasReadable, onReadable]);
  if (status === documentStatus.converted)
    return ready_pages < pages ? (
      <Notice tone="success">{`可以阅读了，其余页面正在转换：${ready_pages} / ${pages} 页`}</Notice>
    ) : null;
  const { reason, encryption } = row ?? {
    reason: document.reject_reason || document.convert_error,
    encryption: document.encryption,
  };
  const isUnderReview = status === documentStatus.underReview;
  const hasFailed = isUnderReview ? row?.conversion_state === 'failed' : status === documentStatus.failed;
  const tone = hasFailed || status === documentStatus.refused ? 'failure' : 'warning';
  const isConverting = status === documentStatus.converting && pages > 0;
  const progress = isConverting ? `${ready_pages} / ${pages} 页` : '';
  const statusText = isUnderReview && hasFailed ? '文档正在等待审核，但文件转换失败' : statusTexts[status];
  const shownReason = isUnderReview && !hasFailed ? '' : reason;
  return (
    <>
      <Notice tone={tone}>{[statusText, progress, shownReason].filter(Boolean).join('：')}</Notice>
      {encryption === 'none' && !(isOwner && hasFailed) ? null : failurePanel(encryption)}
    </>
  );
}
