import * as z from 'zod/mini';
import { isAllowedLinkUrl, sectionCellLinks, sectionLinks } from './cell-link.contract.ts';
import { type CellStyle, sectionMergedCells, sectionStyles } from './cell-style.contract.ts';
import { sectionPictures } from './sheet-picture.contract.ts';

export const MAX_STYLES_PER_SECTION = 1_000;
export const MAX_MERGED_CELLS_PER_SECTION = 10_000;
const MAX_CELLS_PER_ROW = 200;
const MAX_ROWS = 1_000;
const MAX_POSITION = 10_000;

const isColor = (text = '000000') => /^[0-9a-f]{6}$/.test(text);
const isStyle = ({ fill, color, borders = '' }: CellStyle) =>
  isColor(fill) && isColor(color) && /^t?r?b?l?$/.test(borders);

const sumOfCounts = (runs: number[]) => runs.reduce((sum, number, at) => (at % 2 === 0 ? sum + number : sum), 0);
/** Pairs of a count and a style. */
const areRuns = (runs: number[]) =>
  runs.length % 2 === 0 &&
  runs.length <= 2 * MAX_CELLS_PER_ROW &&
  runs.every((number) => Number.isInteger(number) && number >= 0 && number <= MAX_STYLES_PER_SECTION) &&
  sumOfCounts(runs) <= MAX_CELLS_PER_ROW;

/** Styles that a sandboxed program wrote. */
export const validatedSectionStyles = sectionStyles.check(
  z.refine(
    ({ styles, runs }) =>
      styles.length <= MAX_STYLES_PER_SECTION &&
      styles.every(isStyle) &&
      runs.length <= MAX_ROWS &&
      runs.every(areRuns),
  ),
);

const isMergedCell = ([row, column, rows, columns]: number[]) =>
  [row, column].every((each = 0) => Math.abs(each) <= MAX_POSITION) &&
  [rows, columns].every((each = 0) => each >= 1 && each <= MAX_POSITION);

/** Merged cells that a sandboxed program wrote. */
export const validatedMergedCells = sectionMergedCells.check(
  z.refine((cells) => cells.length <= MAX_MERGED_CELLS_PER_SECTION && cells.every(isMergedCell)),
);

export const MAX_PICTURES_PER_SECTION = 2_000;
const PICTURE_NAME = /^i\/[0-9a-f]{32}\.webp$/;
const MAX_LABEL_LENGTH = 200;
const MAX_PICTURE_POSITION = 1_000_000;

/** Pictures that a sandboxed program wrote. */
export const validatedPictures = sectionPictures.check(
  z.refine(
    (pictures) =>
      pictures.length <= MAX_PICTURES_PER_SECTION &&
      pictures.every(
        ([row, column, rows, columns, name, label]) =>
          [row, column, rows, columns].every((each) => Math.abs(each) <= MAX_PICTURE_POSITION) &&
          PICTURE_NAME.test(name) &&
          label.length <= MAX_LABEL_LENGTH,
      ),
  ),
);

const MAX_LINKS_PER_SECTION = 20_000;
const MAX_LINK_POSITION = 1_000_000;
const isPosition = (each: number) => each >= 0 && each <= MAX_LINK_POSITION;

/** Links that a sandboxed program wrote. */
export const validatedLinks = sectionLinks.check(
  z.refine(
    (links) =>
      links.length <= MAX_LINKS_PER_SECTION &&
      links.every(([row, column, url]) => isPosition(row) && isPosition(column) && isAllowedLinkUrl(url)),
  ),
);

/** Links to cells that a sandboxed program wrote. */
export const validatedCellLinks = sectionCellLinks.check(
  z.refine((links) => links.length <= MAX_LINKS_PER_SECTION && links.every((link) => link.every(isPosition))),
);
