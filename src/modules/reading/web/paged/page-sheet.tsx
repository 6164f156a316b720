import { type CSSProperties, memo, useState } from 'react';
import type { ReadingPage, ReadingWord } from '../../reading.contract.ts';
import { HitMarks } from './hit-marks.tsx';
import { PAGE_GAP, type PageLayout, type Rotation } from './page-layout.ts';
import { TextLayer } from './text-layer.tsx';

const lefts = {
  alone: 'calc(50% - var(--w) / 2)',
  left: `calc(50% - var(--w) - ${PAGE_GAP / 2}px)`,
  right: `calc(50% + ${PAGE_GAP / 2}px)`,
};

/** Where a page stands in its column, whatever the zoom. */
export function placeOf(layout: PageLayout, page: number): CSSProperties {
  const { widths, pixels } = layout.top(layout.rowOf(page));
  return {
    ['--top' as string]: `calc(var(--w) * ${widths.toFixed(5)} + ${pixels}px)`,
    ['--left' as string]: lefts[layout.sideOf(page)],
    width: 'var(--w)',
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
  /** Seen at once: nothing smaller is shown before it. */
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
      <div className="reader-turn" style={turned(layout.ratioOf(page), rotation)}>
        {image && !image.pending ? (
          <Picture
            image={image}
            sharpUrl={sharpUrl}
            isFirst={isFirst}
            onError={() => onStale(page)}
          />
        ) : (
          <p className="absolute inset-0 grid place-items-center text-14 text-[#595f57]">
            {image ? `第 ${page} 页正在转换` : page}
          </p>
        )}
        {words ? (
          <>
            <HitMarks page={page} lines={words} />
            <TextLayer lines={words} />
          </>
        ) : null}
      </div>
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
  const [isThere, setThere] = useState(isFirst);
  return (
    <>
      {isThere ? null : (
        <img src={small_url} alt="" decoding="async" className="reader-picture" draggable={false} />
      )}
      <img
        src={url}
        width={width}
        height={height}
        alt={`第 ${page} 页`}
        decoding="async"
        fetchPriority={page === 1 && isFirst ? 'high' : 'auto'}
        loading={isFirst && page > 1 ? 'lazy' : 'eager'}
        draggable={false}
        className="reader-picture"
        onLoad={() => setThere(true)}
        onError={onError}
      />
      {sharpUrl ? (
        <img src={sharpUrl} alt="" decoding="async" draggable={false} className="reader-picture" />
      ) : null}
    </>
  );
}
