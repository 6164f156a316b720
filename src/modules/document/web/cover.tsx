import type { CSSProperties, ReactNode } from 'react';
import { latinTextClass } from '#platform/web/latin-text.ts';
import type { Document } from '../document.contract.ts';
import { typeColour } from './type-tag.tsx';

export type Covered = Pick<Document, 'title' | 'ext' | 'cover' | 'width' | 'height'>;

/** A sheet of paper with another one below it. */
const paper =
  'shadow-[0_0_0_1px_var(--line),2px_2px_0_0_var(--surface),2px_2px_0_1px_var(--line)] transition-[translate,box-shadow] group-hover:-translate-y-1 group-hover:shadow-float';

/**
 * The first page of a document as a sheet of paper with the spine of its type. Without one, the title
 * set in type. It stands beside its title, so readers of screens pass over it. Lifts when its `group`
 * is pointed at.
 */
export function Cover({ document, isFirst = false }: { document: Covered; isFirst?: boolean }) {
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
      className={`@container relative aspect-[210/297] overflow-hidden rounded-sm rounded-l-[3px] bg-surface ${paper}`}
      style={{ '--type': typeColour(ext) } as CSSProperties}
    >
      {picture && !isSlide ? picture : <Typeset title={title}>{picture}</Typeset>}
      <span className="absolute inset-y-0 left-0 w-[max(3px,2.6%)] bg-(--type)" />
      <span className="absolute right-0 bottom-0 rounded-tl-sm bg-(--type) px-[0.4em] text-[clamp(10px,7cqw,12px)] leading-[1.6] font-bold text-surface @max-[100px]:hidden">
        {ext.replace('.', '').toUpperCase()}
      </span>
    </div>
  );
}

/** A cover of our own: the title in the reading face, below the picture of a slide if there is one. */
function Typeset({ title, children }: { title: string; children: ReactNode }) {
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
