import { fileType, formatSize } from '#platform/contract/format.ts';

export type UploadState =
  | 'waiting'
  | 'hashing'
  | 'sending'
  | 'saving'
  | 'paused'
  | 'failed'
  | 'done';

export type UploadItem = {
  key: string;
  file: File;
  title: string;
  price: number;
  state: UploadState;
  /** Share of the present step, 0 to 1. */
  progress: number;
  error: string;
  uploadUrl: string;
  attachmentId: number;
  isSubmitted: boolean;
  isInstant: boolean;
  documentId: number;
  /** Documents of the site made of the very same file. */
  same: { id: number; title: string }[];
};

const MB = 1024 * 1024;
export const MAX_TITLE = 255;

export const extensionOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
const titleOf = (name: string) =>
  name
    .replace(/\.[a-z0-9]+$/i, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE) || name;

export type Limits = { maxMegabytes: number; allowed: readonly string[] };

/** Files that can be uploaded, and a sentence for each that cannot. */
export function sortFiles(
  files: readonly File[],
  known: readonly Pick<UploadItem, 'file'>[],
  { maxMegabytes, allowed }: Limits,
): { taken: File[]; refused: string[] } {
  const taken: File[] = [];
  const refused: string[] = [];
  const nameOf = (file: File) => `${file.name.toLowerCase()}/${file.size}`;
  const names = new Set(known.map(({ file }) => nameOf(file)));
  for (const file of files) {
    const extension = extensionOf(file.name);
    // Files the system makes for itself come along with folders.
    if (file.name.startsWith('.') || file.name.startsWith('~$')) continue;
    if (
      fileType(extension) === 'other' ||
      (allowed.length > 0 && !allowed.includes(`.${extension}`))
    )
      refused.push(`${file.name} 不支持的文件格式，忽略该文件`);
    else if (file.size === 0) refused.push(`${file.name} 是空文件，忽略该文件`);
    else if (file.size > maxMegabytes * MB)
      refused.push(
        `${file.name} 大小为 ${formatSize(file.size)}，超过最大允许的 ${maxMegabytes} MB，忽略该文件`,
      );
    else if (names.has(nameOf(file))) refused.push(`${file.name} 已在列表中`);
    else {
      names.add(nameOf(file));
      taken.push(file);
    }
  }
  return { taken, refused };
}

export const newItem = (file: File, price: number): UploadItem => ({
  key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  file,
  title: titleOf(file.name),
  price,
  state: 'waiting',
  progress: 0,
  error: '',
  uploadUrl: '',
  attachmentId: 0,
  isSubmitted: false,
  isInstant: false,
  documentId: 0,
  same: [],
});

/** Of all bytes that are to be sent, how many have been. */
export function totalProgress(items: readonly UploadItem[]): number {
  const total = items.reduce((sum, { file }) => sum + file.size, 0);
  const sent = items.reduce((sum, { file, state, progress }) => {
    if (state === 'done' || state === 'saving') return sum + file.size;
    return state === 'hashing' ? sum : sum + file.size * progress;
  }, 0);
  return total === 0 ? 0 : sent / total;
}
