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
  const redrawn = useRedraw(canvas, natural);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is drawn anew at another size
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      draw(canvas.current, url, natural, signal).then(
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
  }, [url, natural, redrawn]);
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

/** In pixels of the screen, and never more than the picture has. */
const shownWidth = (canvas: HTMLCanvasElement, natural: number) =>
  Math.min(natural, Math.round(canvas.clientWidth * devicePixelRatio) || natural);

/** Another number each time a zoom has made the drawing too small, or needlessly large. */
function useRedraw(canvas: { current: HTMLCanvasElement | null }, natural: number | undefined) {
  const [redrawn, setRedrawn] = useState(0);
  useEffect(() => {
    const element = canvas.current;
    if (!element || natural === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const { drawn } = element.dataset;
      const wanted = shownWidth(element, natural);
      const isFit = wanted <= element.width && wanted * 2 > element.width;
      if (drawn !== undefined && !isFit) setRedrawn((times) => times + 1);
    };
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
  return redrawn;
}

async function draw(
  canvas: HTMLCanvasElement | null,
  url: string,
  natural: number | undefined,
  signal: AbortSignal,
) {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`the picture was refused with ${answer.status}`);
  const picture = await answer.blob();
  if (!canvas || signal.aborted) return;
  const width = natural === undefined ? 0 : shownWidth(canvas, natural);
  const bitmap = await (natural !== undefined && width < natural
    ? createImageBitmap(picture, { resizeWidth: width, resizeQuality: 'high' })
    : createImageBitmap(picture));
  if (signal.aborted) return bitmap.close();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d', { alpha: false, willReadFrequently: true })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.dataset.drawn = url;
}
