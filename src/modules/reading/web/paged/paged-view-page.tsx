import { type CSSProperties, memo, type Ref, useEffect, useRef, useState } from 'react';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import type { ReadingPage, ReadingWord } from '../../reading.contract.ts';
import { HitMarks } from './hit-marks.tsx';
import { PageBitmap, prefetchImage } from './page-bitmap.tsx';
import { PAGE_GAP, type PageLayout, type Rotation } from './page-layout.ts';
import { TextLayer } from './text-layer.tsx';

const leftBySide = {
  alone: undefined,
  left: `calc(50% - var(--w) - ${PAGE_GAP / 2}px)`,
  right: `calc(50% + ${PAGE_GAP / 2}px)`,
};

/** CSS position of a page, independent of the zoom. */
function positionStyle(layout: PageLayout, page: number): CSSProperties {
  const { widths, pixels } = layout.top(layout.rowOf(page));
  return {
    top: `calc(var(--w) * ${widths.toFixed(5)} + ${pixels}px)`,
    left: leftBySide[layout.sideOf(page)],
    aspectRatio: (1 / layout.ratioOf(page)).toFixed(6),
  };
}

/** Rotates the page within its box. */
function rotationStyle(ratio: number, rotation: Rotation): CSSProperties | undefined {
  if (rotation === 0) return undefined;
  const isSideways = rotation % 180 !== 0;
  const width = isSideways ? `calc(var(--w) * ${ratio.toFixed(5)})` : 'var(--w)';
  return {
    inset: '50% auto auto 50%',
    width,
    height: isSideways ? 'var(--w)' : '100%',
    transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
    ['--u' as string]: `calc(${width} / 10000)`,
  };
}

type Props = {
  page: number;
  total: number;
  layout: PageLayout;
  rotation: Rotation;
  /** Displayed page width, null until it is measured. */
  width: number | null;
  image?: ReadingPage;
  /** High-resolution image, if one is shown. */
  hiResUrl?: string;
  words?: ReadingWord[][];
  /** About to become visible. */
  isNear: boolean;
  /** Visible in the server-rendered page. */
  isFirst: boolean;
  /** The page at which the document opens. */
  isStartPage: boolean;
  onStale: (page: number) => void;
};

export const PagedViewPage = memo(function PagedViewPage(props: Props) {
  const { page, total, layout, rotation, image, words, onStale, width, ...kind } = props;
  const isSideways = rotation % 180 !== 0;
  return (
    <li
      data-page={page}
      aria-posinset={page}
      aria-setsize={total}
      aria-label={`第 ${page} 页`}
      className="reader-page"
      style={positionStyle(layout, page)}
    >
      {image ? (
        <div className="reader-rotation" style={rotationStyle(layout.ratioOf(page), rotation)}>
          {image.pending ? (
            <p className="absolute inset-0 grid place-items-center text-14 text-[#595f57]">{`第 ${page} 页正在转换`}</p>
          ) : (
            <PagePicture
              image={image}
              // A sideways page is displayed as wide as its height.
              displayWidth={width && Math.round(isSideways ? width * layout.ratioOf(page) : width)}
              {...kind}
              onError={() => onStale(page)}
            />
          )}
          {words ? (
            <>
              <HitMarks page={page} lines={words} />
              <TextLayer lines={words} />
            </>
          ) : null}
        </div>
      ) : null}
    </li>
  );
});

type PagePictureProps = Pick<Props, 'hiResUrl' | 'isNear' | 'isFirst' | 'isStartPage'> & {
  image: ReadingPage;
  displayWidth: number | null;
  onError: () => void;
};

/** If the large image arrives within this time, the small one is not shown. */
const SMALL_IMAGE_DELAY_MS = 100;

/** After this time on a page the neighbouring pages are prefetched. */
const PREFETCH_DELAY_MS = 500;

/** Scales an image down to its displayed width, never up; 0 means natural width. */
const canvasWidth = (displayWidth: number, natural: number) => (displayWidth < natural ? displayWidth : 0);

function usePrefetchedImage(url: string, isEnabled: boolean) {
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    const timer = setTimeout(() => prefetchImage(url, controller.signal), PREFETCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isEnabled, url]);
}

type ServerRenderedPictureProps = Pick<PagePictureProps, 'image' | 'isStartPage' | 'onError'> & {
  ref: Ref<HTMLImageElement>;
};

function ServerRenderedPicture({ image, isStartPage, onError, ref }: ServerRenderedPictureProps) {
  const { page, url, width, height } = image;
  return (
    <img
      ref={ref}
      src={url}
      width={width}
      height={height}
      alt={`第 ${page} 页`}
      // Decoded before the first paint.
      decoding={isStartPage ? 'sync' : 'async'}
      fetchPriority={isStartPage ? 'high' : 'auto'}
      loading={isStartPage ? 'eager' : 'lazy'}
      draggable={false}
      className="reader-picture"
      onError={onError}
    />
  );
}

/** Shows the small image first, then the large one over it, then the high-resolution one. */
function PagePicture(props: PagePictureProps) {
  const { image, displayWidth, hiResUrl, isNear, isFirst, isStartPage, onError } = props;
  const { page, url, small_url, width } = image;
  const [isLargeDrawn, setLargeDrawn] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isHydrated = useHydrated();
  /** Server-rendered pages use `img`, later ones a canvas. */
  const [isServerRendered] = useState(!isHydrated);
  const [isSmallDelayed, setSmallDelayed] = useState(isNear);
  usePrefetchedImage(url, !isNear);
  const startImage = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // The image failed before hydration attached the error handler.
    if (startImage.current?.complete && startImage.current.naturalWidth === 0) setBroken(true);
    const timer = setTimeout(() => setSmallDelayed(false), SMALL_IMAGE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const picture = (
    <ServerRenderedPicture
      image={image}
      isStartPage={isStartPage}
      onError={() => setBroken(true)}
      ref={isStartPage ? startImage : null}
    />
  );
  if (!isFirst && !isHydrated) return <noscript>{picture}</noscript>;
  const hiResImage =
    hiResUrl && displayWidth ? (
      <PageBitmap url={hiResUrl} width={canvasWidth(displayWidth, width * 2)} label="" />
    ) : null;
  if (isFirst && isServerRendered && !isBroken)
    return (
      <>
        {picture}
        {hiResImage}
      </>
    );
  if (isLargeDrawn && !isNear) setLargeDrawn(false);
  return (
    <>
      {isLargeDrawn || isSmallDelayed ? null : <PageBitmap url={small_url} label="" onError={onError} />}
      {isNear && displayWidth ? (
        <PageBitmap
          url={url}
          width={canvasWidth(displayWidth, width)}
          label={`第 ${page} 页`}
          onDrawn={() => setLargeDrawn(true)}
          onError={onError}
        />
      ) : null}
      {hiResImage}
    </>
  );
}
