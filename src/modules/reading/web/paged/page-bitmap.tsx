import { useEffect, useRef, useState } from 'react';

const RETRY_MS = 5_000;

/**
 * Draws a page image on a canvas: browsers keep decoded `img` data long after it is scrolled away, hundreds of
 * megabytes in a long document. A canvas is freed with its page.
 */
export function PageBitmap({
  url,
  width = 0,
  label,
  onDrawn,
  onError,
}: {
  url: string;
  /** Displayed width in device pixels, which gives the sharpest and smallest bitmap; 0 for natural width. */
  width?: number;
  /** Empty if another image of the same page is labelled. */
  label: string;
  onDrawn?: () => void;
  onError?: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const callbacks = useRef({ onDrawn, onError });
  callbacks.current = { onDrawn, onError };
  const [drawnWidth, setDrawnWidth] = useState(width);
  if (needsRedraw(width, drawnWidth)) setDrawnWidth(width);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      drawImageOnCanvas(canvas.current, url, drawnWidth, signal).then(
        () => signal.aborted || callbacks.current.onDrawn?.(),
        (error: unknown) => {
          if (signal.aborted) return;
          // A network failure does not mean that the URL is invalid.
          if (error instanceof TypeError) timer = setTimeout(attempt, RETRY_MS);
          else callbacks.current.onError?.();
        },
      );
    void attempt();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [url, drawnWidth]);
  useEffect(() => {
    const element = canvas.current;
    return () => {
      if (!element) return;
      // Frees the memory now instead of at garbage collection.
      element.width = 0;
      element.height = 0;
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

/** The bitmap is too small for the zoom, or needlessly large. */
const needsRedraw = (width: number, drawnWidth: number) =>
  width === 0 || drawnWidth === 0 ? width !== drawnWidth : width > drawnWidth || width * 2 <= drawnWidth;

/** Loads an image into the browser cache. Drawing requests it again, so failures are ignored. */
export function prefetchImage(url: string, signal: AbortSignal) {
  fetch(url, { signal, priority: 'low' }).then(
    (response) => response.blob().catch(() => undefined),
    () => undefined,
  );
}

let lastTask: Promise<unknown> = Promise.resolve();

/** Decodes one image at a time, because decoding takes several times the memory of the result. */
function serializeDecoding<T>(work: () => Promise<T>): Promise<T> {
  const task = lastTask.then(work);
  lastTask = task.catch(() => undefined);
  return task;
}

const MIN_SERVER_ERROR_STATUS = 500;

async function drawImageOnCanvas(canvas: HTMLCanvasElement | null, url: string, width: number, signal: AbortSignal) {
  const response = await fetch(url, { signal });
  // A restarting server is treated like a network failure.
  if (response.status >= MIN_SERVER_ERROR_STATUS) throw new TypeError(`the server returned ${response.status}`);
  if (!response.ok) throw new Error(`the image request failed with ${response.status}`);
  const picture = await response.blob();
  const bitmap = await serializeDecoding(async () => {
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
