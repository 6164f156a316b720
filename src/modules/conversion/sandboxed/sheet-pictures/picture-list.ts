import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Pictures are written into this folder of the work folder until a visible sheet shows them. */
export const PICTURE_FOLDER = 'pictures';
const LIST_FILE = 'pictures.json';

export const pictureName = z.string().check(z.regex(/^i\/[0-9a-f]{32}\.webp$/));
const position = z.number().check(z.gte(0), z.lte(2_000_000));

export const MAX_LABEL_LENGTH = 200;

const placedPicture = z.object({
  sheet: z.string(),
  name: pictureName,
  /** What the author says that the picture shows. */
  label: z.string().check(z.maxLength(MAX_LABEL_LENGTH)),
  row: position,
  column: position,
  endRow: position,
  endColumn: position,
});
/** A picture over the cells of a sheet of the file. Rows and columns from 0; 2.5 is the middle of the third one. */
export type PlacedPicture = z.infer<typeof placedPicture>;

const pictureList = z.object({
  placed: z.array(placedPicture),
  /** Pictures that the function DISPIMG of WPS Office shows in a cell, by its first argument. */
  byId: z.record(z.string(), pictureName),
});
export type PictureList = z.infer<typeof pictureList>;

export const NO_PICTURES: PictureList = { placed: [], byId: {} };

export const writePictureList = (folder: string, list: PictureList) =>
  writeFileSync(`${folder}/${LIST_FILE}`, JSON.stringify(list));

export const readWrittenPictureList = (folder: string): PictureList =>
  pictureList.parse(JSON.parse(readFileSync(`${folder}/${LIST_FILE}`, 'utf8')));

/** Pictures of a workbook whose files exist: a chart may have failed to be drawn. */
export function readPictureList(folder: string): PictureList {
  if (!existsSync(`${folder}/${LIST_FILE}`)) return NO_PICTURES;
  const list = readWrittenPictureList(folder);
  const hasFile = (name: string) => existsSync(`${folder}/${PICTURE_FOLDER}/${name}`);
  return {
    placed: list.placed.filter(({ name }) => hasFile(name)),
    byId: Object.fromEntries(Object.entries(list.byId).filter(([, name]) => hasFile(name))),
  };
}
