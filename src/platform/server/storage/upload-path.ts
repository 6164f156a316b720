/** Content types by extension: pictures only, nothing that can carry a script. */
export const pictureTypes = {
  webp: 'image/webp',
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  ico: 'image/x-icon',
} as const;
export type PictureExtension = keyof typeof pictureTypes;

const PATH = /^\/uploads\/[a-z]{1,16}\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.(webp|png|gif|jpg|ico)$/;

/** Address of an uploaded picture: `/uploads/banner/ab/ab12….webp`. Without the slash it is its key. */
export const uploadPath = (folder: string, hash: string, extension: PictureExtension): string =>
  `/uploads/${folder}/${hash.slice(0, 2)}/${hash}.${extension}`;

export const isUploadPath = (path: string): boolean => PATH.test(path);

export function parseUploadPath(path: string): { key: string; hash: string; contentType: string } | null {
  const match = PATH.exec(path);
  if (!match) return null;
  const [, , hash = '', extension] = match;
  return { key: path.slice(1), hash, contentType: pictureTypes[extension as PictureExtension] };
}
