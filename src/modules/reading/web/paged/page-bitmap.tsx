import { useEffect, useRef, useState } from 'react';

const RETRY_MS = 5_000;
/** A zoom has come to rest. */
const REST_MS = 200;

/**
 * A picture of a page, drawn by ourselves: browsers keep what they decoded for an `img` long after it
 * was scrolled away, hundreds of megabytes in a long book. This one is gone with its page.
 */
export function PageBitmap({
  url,
  natural,
  label,
  onDrawn,
  onError,
}: {
  url: string;
  /** How wide the picture is. Then it is drawn as wide as it is shown: that is sharpest, and smallest. */
  natural?: number;
  /** Empty where another picture of the same page has it. */
  label: string;
  onDrawn?: () => void;
  onError?: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const told = useRef({ onDrawn, onError });
  told.current = { onDrawn, onError };
  const width = useWidth(canvas, natural);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      draw(canvas.current, url, width, signal).then(
        () => signal.aborted || told.current.onDrawn?.(),
        (error: unknown) => {
          if (signal.aborted) return;
          // The network is gone for a while, which says nothing about the address.
          if (error instanceof TypeError) timer = setTimeout(attempt, RETRY_MS);
          else told.current.onError?.();
        },
      );
    if (width !== null) void attempt();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [url, width]);
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

/**
 * How wide it is to be drawn, in pixels of the screen and never wider than it is; 0 as it is, null
 * before that is known. It changes when a zoom has made the drawing too small, or needlessly large.
 */
function useWidth(canvas: { current: HTMLCanvasElement | null }, natural: number | undefined) {
  const [width, setWidth] = useState<number | null>(natural === undefined ? 0 : null);
  useEffect(() => {
    const element = canvas.current;
    if (!element || natural === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const shown = Math.round(element.clientWidth * devicePixelRatio);
      const wanted = shown > 0 && shown < natural ? shown : 0;
      setWidth((known) => {
        const [before, now] = [known || natural, wanted || natural];
        return known !== null && now <= before && now * 2 > before ? known : wanted;
      });
    };
    look();
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(look, REST_MS);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [canvas, natural]);
  return width;
}

const BROKEN = 500;

async function draw(
  canvas: HTMLCanvasElement | null,
  url: string,
  width: number | null,
  signal: AbortSignal,
) {
  const answer = await fetch(url, { signal });
  // A server that restarts is like a network that is gone.
  if (answer.status >= BROKEN) throw new TypeError(`the server answered ${answer.status}`);
  if (!answer.ok) throw new Error(`the picture was refused with ${answer.status}`);
  const picture = await answer.blob();
  const bitmap = await (width
    ? createImageBitmap(picture, { resizeWidth: width, resizeQuality: 'high' })
    : createImageBitmap(picture));
  if (!canvas || signal.aborted) return bitmap.close();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d', { alpha: false, willReadFrequently: true })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.dataset.drawn = url;
}
