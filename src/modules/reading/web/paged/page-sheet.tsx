import { type CSSProperties, memo, useEffect, useRef, useState } from 'react';
import { useHydrated } from '#platform/web/hydrated.ts';
import type { ReadingPage, ReadingWord } from '../../reading.contract.ts';
import { HitMarks } from './hit-marks.tsx';
import { fetchAhead, PageBitmap } from './page-bitmap.tsx';
import { PAGE_GAP, type PageLayout, type Rotation } from './page-layout.ts';
import { TextLayer } from './text-layer.tsx';

const lefts = {
  alone: undefined,
  left: `calc(50% - var(--w) - ${PAGE_GAP / 2}px)`,
  right: `calc(50% + ${PAGE_GAP / 2}px)`,
};

/** Where a page stands in its column, whatever the zoom. */
function placeOf(layout: PageLayout, page: number): CSSProperties {
  const { widths, pixels } = layout.top(layout.rowOf(page));
  return {
    top: `calc(var(--w) * ${widths.toFixed(5)} + ${pixels}px)`,
    left: lefts[layout.sideOf(page)],
    aspectRatio: (1 / layout.ratioOf(page)).toFixed(6),
  };
}

/** The page as it was drawn, turned within its place. */
function turned(ratio: number, rotation: Rotation): CSSProperties | undefined {
  if (rotation === 0) return undefined;
  const isAcross = rotation % 180 !== 0;
  const width = isAcross ? `calc(var(--w) * ${ratio.toFixed(5)})` : 'var(--w)';
  return {
    inset: '50% auto auto 50%',
    width,
    height: isAcross ? 'var(--w)' : '100%',
    transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
    ['--u' as string]: `calc(${width} / 10000)`,
  };
}

type Props = {
  page: number;
  total: number;
  layout: PageLayout;
  rotation: Rotation;
  /** How wide pages are shown, once that is known. */
  width: number | null;
  image?: ReadingPage;
  /** A larger picture of the page, where one is shown. */
  sharpUrl?: string;
  words?: ReadingWord[][];
  /** About to be seen. */
  isNear: boolean;
  /** Seen before any script runs. */
  isFirst: boolean;
  /** The page one came for. */
  isLead: boolean;
  onStale: (page: number) => void;
};

export const PageSheet = memo(function PageSheet(props: Props) {
  const { page, total, layout, rotation, image, words, onStale, width, ...kind } = props;
  const isAcross = rotation % 180 !== 0;
  return (
    <li
      data-page={page}
      aria-posinset={page}
      aria-setsize={total}
      aria-label={`第 ${page} 页`}
      className="reader-page"
      style={placeOf(layout, page)}
    >
      {image ? (
        <div className="reader-turn" style={turned(layout.ratioOf(page), rotation)}>
          {image.pending ? (
            <p className="absolute inset-0 grid place-items-center text-14 text-[#595f57]">{`第 ${page} 页正在转换`}</p>
          ) : (
            <Picture
              image={image}
              // Turned to its side, a page is shown as wide as it is high there.
              shown={width && Math.round(isAcross ? width * layout.ratioOf(page) : width)}
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

type PictureProps = Pick<Props, 'sharpUrl' | 'isNear' | 'isFirst' | 'isLead'> & {
  image: ReadingPage;
  /** How wide it is shown. */
  shown: number | null;
  onError: () => void;
};

/** A large picture that comes so soon needs no small one before it. */
const SOON_MS = 100;

/** A reader who stays this long on a page opens those around it soon. */
const STAYS_MS = 500;

/** A picture is drawn as wide as it is shown, and never wider than it is. */
const drawnWidth = (shown: number, natural: number) => (shown < natural ? shown : 0);

/** The small picture is there at once; the large one covers it when it has come, then a larger one. */
function Picture(props: PictureProps) {
  const { image, shown, sharpUrl, isNear, isFirst, isLead, onError } = props;
  const { page, url, small_url, width, height } = image;
  const [isThere, setThere] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isHydrated = useHydrated();
  /** It came with the page. Whatever comes later is drawn by ourselves. */
  const [isSent] = useState(!isHydrated);
  const [isSoon, setSoon] = useState(isNear);
  const lead = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It failed before anybody could hear of it.
    if (lead.current?.complete && lead.current.naturalWidth === 0) setBroken(true);
    const timer = setTimeout(() => setSoon(false), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isNear) return;
    const controller = new AbortController();
    const timer = setTimeout(() => fetchAhead(url, controller.signal), STAYS_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isNear, url]);
  const label = `第 ${page} 页`;
  const picture = (
    <img
      ref={isLead ? lead : undefined}
      src={url}
      width={width}
      height={height}
      alt={label}
      // Painted with the first frame.
      decoding={isLead ? 'sync' : 'async'}
      fetchPriority={isLead ? 'high' : 'auto'}
      loading={isLead ? 'eager' : 'lazy'}
      draggable={false}
      className="reader-picture"
      onError={() => setBroken(true)}
    />
  );
  if (!isFirst && !isHydrated) return <noscript>{picture}</noscript>;
  const sharp = sharpUrl && shown ? <PageBitmap url={sharpUrl} width={drawnWidth(shown, width * 2)} label="" /> : null;
  if (isFirst && isSent && !isBroken)
    return (
      <>
        {picture}
        {sharp}
      </>
    );
  if (isThere && !isNear) setThere(false);
  return (
    <>
      {isThere || isSoon ? null : <PageBitmap url={small_url} label="" onError={onError} />}
      {isNear && shown ? (
        <PageBitmap
          url={url}
          width={drawnWidth(shown, width)}
          label={label}
          onDrawn={() => setThere(true)}
          onError={onError}
        />
      ) : null}
      {sharp}
    </>
  );
}
