import { type CSSProperties, memo, useEffect, useRef, useState } from 'react';
import { useHydrated } from '#platform/web/hydrated.ts';
import type { ReadingPage, ReadingWord } from '../../reading.contract.ts';
import { HitMarks } from './hit-marks.tsx';
import { PageBitmap } from './page-bitmap.tsx';
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
    height: `calc(var(--w) * ${layout.ratioOf(page).toFixed(5)})`,
  };
}

/** The page as it was drawn, turned within its place. `--u` is a ten-thousandth of its width. */
function turned(ratio: number, rotation: Rotation): CSSProperties {
  const isAcross = rotation % 180 !== 0;
  const width = isAcross ? `calc(var(--w) * ${ratio.toFixed(5)})` : 'var(--w)';
  return {
    width,
    height: isAcross ? 'var(--w)' : '100%',
    transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
    ['--u' as string]: `calc(${isAcross ? width : 'var(--w)'} / 10000)`,
  };
}

type Props = {
  page: number;
  total: number;
  layout: PageLayout;
  rotation: Rotation;
  image?: ReadingPage;
  /** A larger picture of the page, where one is shown. */
  sharpUrl?: string;
  words?: ReadingWord[][];
  /** Seen before any script runs. */
  isFirst: boolean;
  /** The page one came for. */
  isLead: boolean;
  onStale: (page: number) => void;
};

export const PageSheet = memo(function PageSheet(props: Props) {
  const { page, total, layout, rotation, image, sharpUrl, words, isFirst, isLead, onStale } = props;
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
            <p className="absolute inset-0 grid place-items-center text-14 text-[#595f57]">
              {`第 ${page} 页正在转换`}
            </p>
          ) : (
            <Picture
              image={image}
              sharpUrl={sharpUrl}
              isFirst={isFirst}
              isLead={isLead}
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

/** The small picture is there at once; the large one covers it when it has come, then a larger one. */
function Picture({
  image: { page, url, small_url, width, height },
  sharpUrl,
  isFirst,
  isLead,
  onError,
}: {
  image: ReadingPage;
  sharpUrl?: string;
  isFirst: boolean;
  isLead: boolean;
  onError: () => void;
}) {
  const [isThere, setThere] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isHydrated = useHydrated();
  const lead = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It failed before anybody could hear of it.
    if (lead.current?.complete && lead.current.naturalWidth === 0) setBroken(true);
  }, []);
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
  const isPicture = isFirst && !isBroken;
  return (
    <>
      {isPicture || isThere ? null : <PageBitmap url={small_url} label="" />}
      {isPicture ? (
        picture
      ) : (
        <PageBitmap
          url={url}
          natural={width}
          label={label}
          onDrawn={() => setThere(true)}
          onError={onError}
        />
      )}
      {sharpUrl ? <PageBitmap url={sharpUrl} natural={width * 2} label="" /> : null}
    </>
  );
}
