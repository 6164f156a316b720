import * as z from 'zod/mini';

/**
 * First row (negative if it is in an earlier section), first column, rows and columns of each picture over the cells, with
 * fractions of cells, its file or URL, and what its author says that it shows.
 */
export const sectionPictures = z.array(
  z.tuple([z.number(), z.number(), z.number(), z.number(), z.string(), z.string()]),
);
