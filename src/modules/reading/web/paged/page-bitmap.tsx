import { useEffect, useRef } from 'react';

const RETRY_MS = 5_000;

/**
 * A picture of a page, drawn by ourselves: browsers keep what they decoded for an `img` long after it
 * was scrolled away, hundreds of megabytes in a long book. This one is gone with its page.
 */
export function PageBitmap({
  url,
  label,
  onDrawn,
  onError,
}: {
  url: string;
  /** Empty where another picture of the same page has it. */
  label: string;
  onDrawn?: () => void;
  onError?: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const told = useRef({ onDrawn, onError });
  told.current = { onDrawn, onError };
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      draw(canvas.current, url, signal).then(
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
  }, [url]);
  useEffect(() => {
    const drawn = canvas.current;
    return () => {
      if (drawn) drawn.width = 0;
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

async function draw(canvas: HTMLCanvasElement | null, url: string, signal: AbortSignal) {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`the picture was refused with ${answer.status}`);
  const bitmap = await createImageBitmap(await answer.blob());
  if (!canvas || signal.aborted) return bitmap.close();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d', { alpha: false, willReadFrequently: true })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.dataset.drawn = url;
}
