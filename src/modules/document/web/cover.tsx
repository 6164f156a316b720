import type { CSSProperties, ReactNode } from 'react';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { Document } from '../document.contract.ts';
import { typeColor } from './type-tag.tsx';

export type CoverDocument = Pick<Document, 'title' | 'ext' | 'cover' | 'width' | 'height'>;

/** Draws a second sheet below the cover. */
const paperClass =
  'shadow-[0_0_0_1px_var(--line),2px_2px_0_0_var(--surface),2px_2px_0_1px_var(--line)] transition-[translate,box-shadow] group-hover:-translate-y-1 group-hover:shadow-float';

/**
 * Shows the first page, or the title if there is none. Hidden from screen readers, because the title is next to it.
 * Rises when the surrounding `group` is hovered.
 */
export function Cover({ document, isFirst = false }: { document: CoverDocument; isFirst?: boolean }) {
  const { title, ext, cover } = document;
  const isSlide = document.width > document.height;
  const picture = cover ? (
    <img
      src={cover}
      alt=""
      width={210}
      height={isSlide ? Math.round((210 * document.height) / document.width) : 297}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      className={`w-full bg-white in-data-[theme=dark]:brightness-90 ${isSlide ? 'h-auto' : 'h-full object-contain object-top'}`}
    />
  ) : null;
  return (
    <div
      aria-hidden="true"
      className={`@container relative aspect-[210/297] overflow-hidden rounded-sm rounded-l-[3px] bg-surface ${paperClass}`}
      style={{ '--type': typeColor(ext) } as CSSProperties}
    >
      {picture && !isSlide ? picture : <TitleCover title={title}>{picture}</TitleCover>}
      <span className="absolute inset-y-0 left-0 w-[max(3px,2.6%)] bg-(--type)" />
      <span className="absolute right-0 bottom-0 rounded-tl-sm bg-(--type) px-[0.4em] text-[clamp(10px,7cqw,12px)] leading-[1.6] font-bold text-surface @max-[100px]:hidden">
        {ext.replace('.', '').toUpperCase()}
      </span>
    </div>
  );
}

/** Generated cover with the title, below the image of a slide if there is one. */
function TitleCover({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex size-full flex-col bg-linear-160 from-(--type)/6 to-(--type)/18">
      {children}
      <div className="flex flex-1 flex-col justify-between py-[11%] pr-[9%] pl-[13%]">
        <p
          className={`line-clamp-5 font-serif text-[max(9px,10cqw)] leading-[1.45] font-bold text-ink ${latinTextClass(title)}`}
        >
          {title}
        </p>
        <span className="block h-0.5 w-1/4 bg-(--type) @max-[100px]:hidden" />
      </div>
    </div>
  );
}
