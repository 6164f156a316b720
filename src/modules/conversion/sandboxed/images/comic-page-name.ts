import { posix } from 'node:path';

const IMAGE_NAME = /\.(?:jpe?g|png|webp|gif|bmp|tiff?|hei[cf])$/i;
/** Folder with the attributes of the files, written by the archiver of macOS. */
const MAC_FOLDER = /^(?:.*\/)?__MACOSX\//;

/** Whether a file in an archive is a page of the comic. */
export const isPageName = (name: string): boolean =>
  IMAGE_NAME.test(name) && !MAC_FOLDER.test(name) && !posix.basename(name).startsWith('.');
