import { useState } from 'react';
import { renderSVG } from 'uqr';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { copyToClipboard } from '#platform/web/copy-or-download-text.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { useReader } from '../reader-store.ts';

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Link to the document or the current page as text, QR code and embed code. */
export function ShareDialog({ onClose }: { onClose: () => void }) {
  const { id, title, store } = useReader();
  const { system } = useSettings();
  const [page] = useState(() => store.getState().page);
  const [isFromPage, setIsFromPage] = useState(page > 1);
  const siteUrl = system.address || window.location.origin;
  const hash = isFromPage ? `#p=${page}` : '';
  const link = `${siteUrl}/document/${id}${hash}`;
  const embedCode = `<iframe src="${siteUrl}/document/${id}?embed=1${hash}" title="${escapeHtml(title)}" width="100%" height="640" style="border:0" allowfullscreen loading="lazy"></iframe>`;
  return (
    <Dialog open onClose={onClose} title="分享">
      <div className="flex gap-5 max-md:flex-col max-md:items-center">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 1 }))}`}
          alt="链接的二维码"
          className="size-36 shrink-0 rounded-md bg-white p-1"
        />
        <div className="min-w-0 flex-1 self-stretch">
          <CopyField label="链接" text={link} />
          {page > 1 ? (
            <label className="mt-2 flex min-h-10 items-center gap-2 text-14">
              <input
                type="checkbox"
                checked={isFromPage}
                onChange={(event) => setIsFromPage(event.target.checked)}
                className="size-4.5 accent-bean"
              />
              从第 {page} 页开始
            </label>
          ) : null}
          <p className="mt-1 text-13 text-ink-2">用手机扫描二维码，可以接着在手机上阅读。</p>
        </div>
      </div>
      <div className="mt-5">
        <CopyField label="嵌入代码" text={embedCode} />
      </div>
    </Dialog>
  );
}

function CopyField({ label, text }: { label: string; text: string }) {
  const copy = async () => {
    if (await copyToClipboard(text)) toast.success('已复制');
    else toast.info('浏览器不允许复制，请手动选择');
  };
  return (
    <div className="text-14">
      <p className="mb-1 text-ink-2">{label}</p>
      <div className="flex gap-2">
        <input
          readOnly
          aria-label={label}
          value={text}
          onFocus={(event) => event.target.select()}
          className="h-10 min-w-0 flex-1 rounded-md border border-line-strong bg-paper px-3 font-mono text-13"
        />
        <Button variant="outline" aria-label={`复制${label}`} onClick={copy}>
          复制
        </Button>
      </div>
    </div>
  );
}
