import { BookLock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Document } from '#modules/document/document.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { BEYOND_PREVIEW_ID, type ReaderLayout } from './reader-store.ts';

/** Notice after the last readable page with the number of locked pages. */
export function PreviewEndNotice({
  document: { price },
  layout: { pages, readable, view },
  children,
}: {
  document: Pick<Document, 'price'>;
  layout: ReaderLayout;
  /** Action buttons. */
  children?: ReactNode;
}) {
  const { credit_name } = useSettings().system;
  if (readable === 0 || readable >= pages) return null;
  const unit = view === 'flow' ? '节' : '页';
  return (
    <section
      id={BEYOND_PREVIEW_ID}
      className={`mx-auto max-w-220 scroll-mb-14 px-2 pb-8 md:scroll-mb-0 md:px-6 ${view === 'pages' ? '' : 'pt-4'}`}
    >
      <div className="card flex flex-col items-center gap-3 px-6 py-10 text-center">
        <BookLock aria-hidden="true" className="size-8 text-bean" />
        <h2 className="font-serif text-18 font-bold">{`还有 ${pages - readable} ${unit}没有显示`}</h2>
        <p className="text-14 text-ink-2">
          {`全文共 ${pages} ${unit}，可以试读 ${readable} ${unit}。`}
          {price > 0 ? (
            <>
              {'下载全文需要 '}
              <span className="rounded-sm bg-gold-soft px-1.5 py-0.5 text-gold tabular-nums">
                {price} 个{credit_name}
              </span>
              。
            </>
          ) : (
            '下载后可以阅读全文。'
          )}
        </p>
        {children}
      </div>
    </section>
  );
}
