import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { MAX_PAGES_PER_REQUEST, readingApi } from '../../reading.contract.ts';
import { useReader } from '../reader-store.ts';

/** More at once would fill the memory of a phone. */
const MOST = 100;

/** Which pages to print; their pictures are all fetched before the browser is asked to. */
export function PrintDialog({ onClose }: { onClose: () => void }) {
  const { id, layout, store } = useReader();
  const { readable } = layout;
  const [from, setFrom] = useState(() => String(readable > MOST ? store.getState().page : 1));
  const [to, setTo] = useState(() => String(Math.min(readable, Number(from) + MOST - 1)));
  const [isPending, setPending] = useState(false);
  const [first, last] = [Number(from), Number(to)];
  const areThere = [first, last].every((page) => Number.isInteger(page) && page >= 1 && page <= readable);
  const fault = !areThere
    ? `请输入 1 到 ${readable} 之间的页码`
    : first > last
      ? '起始页不能大于结束页'
      : last - first >= MOST
        ? `一次最多打印 ${MOST} 页`
        : '';
  const print = async () => {
    setPending(true);
    try {
      await printPages(await addressesOf(id, first, last));
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
      <Notice tone="warning">{fault}</Notice>
      <Button className="mt-3 w-full" disabled={fault !== ''} pending={isPending} onClick={() => void print()}>
        打印
      </Button>
    </Dialog>
  );
}

async function addressesOf(id: number, first: number, last: number): Promise<string[]> {
  const addresses: string[] = [];
  for (let page = first; page <= last; page += MAX_PAGES_PER_REQUEST) {
    const size = Math.min(MAX_PAGES_PER_REQUEST, last - page + 1);
    const answer = await call(readingApi.pages, { id, page, size });
    addresses.push(...answer.page.map(({ url }) => url).filter(Boolean));
  }
  if (addresses.length < last - first + 1) throw new Error('有些页面还在转换，请稍后再打印');
  return addresses;
}

/** In a frame of its own, so that nothing of the page around is printed with them. */
async function printPages(addresses: string[]): Promise<void> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
  document.body.append(frame);
  const inside = frame.contentDocument;
  if (!inside || !frame.contentWindow) throw new Error('浏览器不允许打印');
  const style = inside.createElement('style');
  style.textContent =
    '@page{margin:0}body{margin:0}img{display:block;width:100%;height:100vh;object-fit:contain;break-after:page}img:last-child{break-after:auto}';
  inside.head.append(style);
  const loaded = addresses.map(async (address) => {
    const image = inside.createElement('img');
    image.src = address;
    inside.body.append(image);
    await image.decode();
  });
  try {
    await Promise.all(loaded);
    frame.contentWindow.print();
  } finally {
    // Some browsers go on reading the frame after the dialog was opened.
    setTimeout(() => frame.remove(), 60_000);
  }
}
