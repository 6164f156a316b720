import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { type Downloadable, downloadOfferQuery } from './download-offer.ts';
import { useDownload } from './use-download.ts';

const DownloadDialog = lazy(() =>
  import('./download-dialog.tsx').then((module) => ({ default: module.DownloadDialog })),
);

/**
 * Downloads a document immediately if it costs the caller nothing; otherwise opens the dialog. `onBought` is called
 * when the rights of the reader have changed.
 */
export function DownloadButton({
  document,
  onBought,
  short = false,
  variant,
  size,
  className,
}: {
  document: Downloadable;
  onBought?: () => void;
  /** For narrow places. */
  short?: boolean;
  variant?: 'primary' | 'outline' | 'quiet';
  size?: 'md' | 'lg';
  className?: string;
}) {
  const { credit_name } = useSettings().system;
  const viewer = useUser()?.id ?? 0;
  const client = useQueryClient();
  const { download, pending } = useDownload(document.id);
  const [isLoadingOffer, setLoadingOffer] = useState(false);
  const [open, setOpen] = useState(false);
  const startOrAsk = async () => {
    setLoadingOffer(true);
    try {
      const { may_download, cost } = await client.fetchQuery(downloadOfferQuery(document.id, viewer));
      if (may_download && cost === 0) await download(0);
      else setOpen(true);
    } catch (error) {
      toast.failure(error, '下载失败');
    } finally {
      setLoadingOffer(false);
    }
  };
  // Bought and owned documents cost nothing.
  const { data: offer } = useQuery({
    ...downloadOfferQuery(document.id, viewer),
    enabled: viewer > 0 && document.price > 0,
    staleTime: 60_000,
  });
  const cost = offer?.cost ?? document.price;
  const price = cost > 0 ? ` · ${cost} ${credit_name || '豆'}` : '';
  return (
    <>
      <Button
        variant={variant}
        size={size}
        className={className}
        pending={isLoadingOffer || pending}
        onClick={startOrAsk}
        aria-haspopup={cost > 0 ? 'dialog' : undefined}
      >
        {isLoadingOffer || pending ? null : <Download aria-hidden="true" className="size-4.5" />}
        {short ? `下载${price}` : `下载文档（${formatSize(document.size)}）${price}`}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <DownloadDialog document={document} onClose={() => setOpen(false)} onBought={onBought} />
        </Suspense>
      ) : null}
    </>
  );
}
