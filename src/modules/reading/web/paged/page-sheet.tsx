import { type CSSProperties, memo, useState } from 'react';
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
  onStale: (page: number) => void;
};

export const PageSheet = memo(function PageSheet(props: Props) {
  const { page, total, layout, rotation, image, sharpUrl, words, isFirst, onStale } = props;
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
  onError,
}: {
  image: ReadingPage;
  sharpUrl?: string;
  isFirst: boolean;
  onError: () => void;
}) {
  const [isThere, setThere] = useState(false);
  const isHydrated = useHydrated();
  const label = `第 ${page} 页`;
  const picture = (
    <img
      src={url}
      width={width}
      height={height}
      alt={label}
      // The page one came for is painted with the first frame.
      decoding={page === 1 ? 'sync' : 'async'}
      fetchPriority={page === 1 ? 'high' : 'auto'}
      loading={page === 1 ? 'eager' : 'lazy'}
      draggable={false}
      className="reader-picture"
      onError={onError}
    />
  );
  if (!isFirst && !isHydrated) return <noscript>{picture}</noscript>;
  return (
    <>
      {isFirst || isThere ? null : <PageBitmap url={small_url} label="" />}
      {isFirst ? (
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
      {sharpUrl ? <PageBitmap url={sharpUrl} label="" /> : null}
    </>
  );
}
