import { lazy, Suspense, useState } from 'react';
import type { ReadingPage } from '../../reading.contract.ts';
import type { RowRange } from '../visible-rows.ts';
import type { FrozenPanesInView } from './frozen-panes.ts';
import type { OpenedPicture } from './picture-dialog.tsx';

const PictureDialog = lazy(() => import('./picture-dialog.tsx').then((module) => ({ default: module.PictureDialog })));

/** A picture over the cells of a sheet. Rows and columns of the sheet from 0; 2.5 is the middle of the third one. */
type SheetPicture = { row: number; column: number; rows: number; columns: number; url: string; label: string };

/** Sizes of the grid. A prop, because a shared import would make the bundler create another chunk. */
type GridSizes = {
  /** Left edge of the first column and top edge of the first row. */
  left: number;
  top: number;
  rowHeight: number;
  widths: readonly number[];
};

/** Pictures of loaded pages, each once: a picture is on all pages that it covers. `rowOf`: first row of a page. */
function picturesOfPages(pages: ReadingPage[], rowOf: (page: number) => number): SheetPicture[] {
  const pictures = new Map<string, SheetPicture>();
  for (const { page, pictures: pagePictures = [] } of pages)
    for (const [rowOfPage, column, rows, columns, url, label] of pagePictures) {
      const row = rowOf(page) + rowOfPage;
      pictures.set(`${row.toFixed(3)},${column},${url.split('?')[0]?.split('/').at(-1)}`, {
        row,
        column,
        rows,
        columns,
        url,
        label,
      });
    }
  return [...pictures.values()];
}

/** Left edge of a position, from the left edge of the sheet. */
const leftOf = (column: number, { left, widths }: GridSizes) => {
  const whole = Math.floor(column);
  const before = widths.slice(0, whole).reduce((sum, width) => sum + width, left);
  return before + (column - whole) * (widths[whole] ?? 0);
};

/** Cuts a picture that begins over frozen cells at the edge of the frozen panes. */
function cutAtFrozenPanes(picture: SheetPicture, panes: FrozenPanesInView): SheetPicture {
  const { row, column, rows, columns } = picture;
  return {
    ...picture,
    rows: row < panes.rows ? Math.min(rows, panes.rows - row) : rows,
    columns: column < panes.columns ? Math.min(columns, panes.columns - column) : columns,
  };
}

type SheetPicturesProps = {
  pages: ReadingPage[];
  rowOf: (page: number) => number;
  /** Rendered rows. */
  rows: RowRange;
  frozen: FrozenPanesInView;
  sizes: GridSizes;
  cellNameOf: (row: number, column: number) => string;
};

const layers = [
  { inRows: false, inColumns: false, className: 'relative z-0' },
  { inRows: false, inColumns: true, className: 'sticky left-0 z-2' },
  { inRows: true, inColumns: false, className: 'sticky top-0 z-4' },
  { inRows: true, inColumns: true, className: 'sticky top-0 left-0 z-4' },
];

/** Pictures and charts over the table that follows; a click, or Enter in their cell, opens one in full size. */
export function SheetPictures({ pages, rowOf, rows, frozen, sizes, cellNameOf }: SheetPicturesProps) {
  const [openedPicture, setOpenedPicture] = useState<OpenedPicture | null>(null);
  const picturesInView = picturesOfPages(pages, rowOf).filter(
    ({ row, rows: height }) => row < frozen.rows || (row < rows.to && row + height > rows.from),
  );
  const picturesOfLayers = layers.map(({ inRows, inColumns, className }) => {
    const ofLayer = picturesInView.filter(
      ({ row, column }) => row < frozen.rows === inRows && column < frozen.columns === inColumns,
    );
    if (ofLayer.length === 0) return null;
    return (
      <div key={className} className={`size-0 ${className}`}>
        {ofLayer.map((picture) => (
          <PictureButton
            key={`${picture.row},${picture.column},${picture.url}`}
            picture={cutAtFrozenPanes(picture, frozen)}
            sizes={sizes}
            cellName={cellNameOf(Math.floor(picture.row), Math.floor(picture.column))}
            onOpen={setOpenedPicture}
          />
        ))}
      </div>
    );
  });
  return (
    <>
      {picturesOfLayers}
      {openedPicture ? (
        <Suspense>
          <PictureDialog {...openedPicture} onClose={() => setOpenedPicture(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

type PictureButtonProps = {
  picture: SheetPicture;
  sizes: GridSizes;
  cellName: string;
  onOpen: (picture: OpenedPicture) => void;
};

/** Not larger than the cells that the picture covers; cells beside the picture stay clickable. */
function PictureButton({ picture, sizes, cellName, onOpen }: PictureButtonProps) {
  const { row, column, rows, columns, url } = picture;
  const label = picture.label || `${cellName} 处的图片`;
  const left = leftOf(column, sizes);
  return (
    <button
      type="button"
      // One stop for Tab in the sheet; Enter in the cell opens the picture.
      tabIndex={-1}
      data-picture-cell={`${Math.floor(row)},${Math.floor(column)}`}
      title="查看大图"
      onClick={() => onOpen({ url, label })}
      className="absolute cursor-zoom-in focus-visible:outline-2 focus-visible:outline-bean"
      style={{ left, top: sizes.top + row * sizes.rowHeight }}
    >
      <img
        src={url}
        alt={label}
        loading="lazy"
        className="block"
        style={{
          maxWidth: Math.max(1, leftOf(column + columns, sizes) - left - 1),
          maxHeight: Math.max(1, rows * sizes.rowHeight - 1),
        }}
      />
    </button>
  );
}
