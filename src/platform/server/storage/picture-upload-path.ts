/** Content types by extension: only pictures, because other types can contain scripts. */
export const pictureTypes = {
  webp: 'image/webp',
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  /** Stored by versions up to 0.2. */
  ico: 'image/x-icon',
} as const;
export type PictureExtension = keyof typeof pictureTypes;

const UPLOAD_PATH = /^\/uploads\/[a-z]{1,16}\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.(webp|png|gif|jpg|ico)$/;

/** URL path of an uploaded picture: `/uploads/banner/ab/ab12….webp`. Without the leading slash it is the storage key. */
export const pictureUploadPath = (folder: string, hash: string, extension: PictureExtension): string =>
  `/uploads/${folder}/${hash.slice(0, 2)}/${hash}.${extension}`;

export const isPictureUploadPath = (path: string): boolean => UPLOAD_PATH.test(path);

export function parsePictureUploadPath(path: string): { key: string; hash: string; contentType: string } | null {
  const match = UPLOAD_PATH.exec(path);
  if (!match) return null;
  const [, , hash = '', extension] = match;
  return { key: path.slice(1), hash, contentType: pictureTypes[extension as PictureExtension] };
}
