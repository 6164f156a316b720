import { useEffect, useRef, useState } from 'react';

const RETRY_MS = 5_000;

/**
 * A picture of a page, drawn by ourselves: browsers keep what they decoded for an `img` long after it
 * was scrolled away, hundreds of megabytes in a long book. This one is gone with its page.
 */
export function PageBitmap({
  url,
  width = 0,
  label,
  onDrawn,
  onError,
}: {
  url: string;
  /** In pixels of the screen: as wide as it is shown, which is sharpest, and smallest. 0 as wide as it is. */
  width?: number;
  /** Empty where another picture of the same page has it. */
  label: string;
  onDrawn?: () => void;
  onError?: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const told = useRef({ onDrawn, onError });
  told.current = { onDrawn, onError };
  const [drawn, setDrawn] = useState(width);
  if (isWorthDrawing(width, drawn)) setDrawn(width);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      draw(canvas.current, url, drawn, signal).then(
        () => signal.aborted || told.current.onDrawn?.(),
        (error: unknown) => {
          if (signal.aborted) return;
          // The network is gone for a while, which says nothing about the address.
          if (error instanceof TypeError) timer = setTimeout(attempt, RETRY_MS);
          else told.current.onError?.();
        },
      );
    void attempt();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [url, drawn]);
  useEffect(() => {
    const left = canvas.current;
    return () => {
      if (!left) return;
      // Not when the browser gets to it.
      left.width = 0;
      left.height = 0;
    };
  }, []);
  return (
    <canvas
      ref={canvas}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className="reader-picture"
    />
  );
}

/** What was drawn has become too small for a zoom, or needlessly large. */
const isWorthDrawing = (width: number, drawn: number) =>
  width === 0 || drawn === 0 ? width !== drawn : width > drawn || width * 2 <= drawn;

/** Puts a picture into the browser's cache before it is drawn; drawing requests it again, so a failure is ignored. */
export function fetchAhead(url: string, signal: AbortSignal) {
  fetch(url, { signal, priority: 'low' }).then(
    (answer) => answer.blob().catch(() => undefined),
    () => undefined,
  );
}

let turn: Promise<unknown> = Promise.resolve();

/** Unpacking takes many times what is left of it: one picture after the other. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine;
}

const BROKEN = 500;

async function draw(canvas: HTMLCanvasElement | null, url: string, width: number, signal: AbortSignal) {
  const answer = await fetch(url, { signal });
  // A server that restarts is like a network that is gone.
  if (answer.status >= BROKEN) throw new TypeError(`the server answered ${answer.status}`);
  if (!answer.ok) throw new Error(`the picture was refused with ${answer.status}`);
  const picture = await answer.blob();
  const bitmap = await inTurn(async () => {
    if (signal.aborted) return null;
    return width > 0
      ? createImageBitmap(picture, { resizeWidth: width, resizeQuality: 'high' })
      : createImageBitmap(picture);
  });
  if (!bitmap) return;
  if (!canvas || signal.aborted) return bitmap.close();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d', { alpha: false, willReadFrequently: true })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.dataset.drawn = url;
}
