import { useState } from 'react';
import { watermarkApi } from '#modules/watermark/watermark.contract.ts';
import { watermarkImage } from '#modules/watermark/web/watermark-image.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { MAX_PAGES_PER_REQUEST, readingApi } from '../../reading.contract.ts';
import { useReader } from '../reader-store.ts';

/** More pages would exhaust the memory of a phone. */
const MAX_PRINT_PAGES = 100;

/** Loads all page images before it opens the browser's print dialog. */
export function PrintDialog({ onClose }: { onClose: () => void }) {
  const { id, layout, store } = useReader();
  const { readable } = layout;
  const [from, setFrom] = useState(() => String(readable > MAX_PRINT_PAGES ? store.getState().page : 1));
  const [to, setTo] = useState(() => String(Math.min(readable, Number(from) + MAX_PRINT_PAGES - 1)));
  const [isPending, setPending] = useState(false);
  const [first, last] = [Number(from), Number(to)];
  const areValid = [first, last].every((page) => Number.isInteger(page) && page >= 1 && page <= readable);
  const problem = !areValid
    ? `请输入 1 到 ${readable} 之间的页码`
    : first > last
      ? '起始页不能大于结束页'
      : last - first >= MAX_PRINT_PAGES
        ? `一次最多打印 ${MAX_PRINT_PAGES} 页`
        : '';
  const print = async () => {
    setPending(true);
    try {
      const mark = layout.watermark === 'overlay' ? await callEndpoint(watermarkApi.get, { id }) : null;
      await printPages(await pageUrls(id, first, last), mark?.text ?? '');
      onClose();
    } catch (error) {
      toast.failure(error, '页面没有取全，请稍后重试');
      setPending(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title="打印">
      <div className="grid grid-cols-2 gap-x-4">
        <Field
          label="从第几页"
          inputMode="numeric"
          maxLength={7}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <Field
          label="到第几页"
          inputMode="numeric"
          maxLength={7}
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <Notice tone="warning">{problem}</Notice>
      <Button className="mt-3 w-full" disabled={problem !== ''} pending={isPending} onClick={() => void print()}>
        打印
      </Button>
    </Dialog>
  );
}

async function pageUrls(id: number, first: number, last: number): Promise<string[]> {
  const urls: string[] = [];
  for (let page = first; page <= last; page += MAX_PAGES_PER_REQUEST) {
    const size = Math.min(MAX_PAGES_PER_REQUEST, last - page + 1);
    const response = await callEndpoint(readingApi.pages, { id, page, size });
    urls.push(...response.page.map(({ url }) => url).filter(Boolean));
  }
  if (urls.length < last - first + 1) throw new Error('有些页面还在转换，请稍后再打印');
  return urls;
}

const PRINT_STYLE =
  '@page{margin:0}body{margin:0}.page{position:relative;break-after:page}.page:last-child{break-after:auto}' +
  'img{display:block;width:100%;height:100vh;object-fit:contain}' +
  '.page::after{content:"";position:absolute;inset:0;print-color-adjust:exact}';

/** Uses a separate frame, so that nothing else of the page is printed. */
async function printPages(urls: string[], mark: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
  document.body.append(frame);
  const frameDocument = frame.contentDocument;
  if (!frameDocument || !frame.contentWindow) throw new Error('浏览器不允许打印');
  const style = frameDocument.createElement('style');
  style.textContent = PRINT_STYLE + (mark && `.page::after{background-image:${watermarkImage(mark)}}`);
  frameDocument.head.append(style);
  const loadedImages = urls.map(async (url) => {
    const page = frameDocument.createElement('div');
    page.className = 'page';
    const image = frameDocument.createElement('img');
    image.src = url;
    page.append(image);
    frameDocument.body.append(page);
    await image.decode();
  });
  try {
    await Promise.all(loadedImages);
    frame.contentWindow.print();
  } finally {
    // Some browsers read the frame after the dialog has opened.
    setTimeout(() => frame.remove(), 60_000);
  }
}
