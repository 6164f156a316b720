import { priceProblem } from '#modules/document/web/price-problem.ts';
import { fileType, formatSize } from '#platform/contract/format.ts';

type UploadState = 'waiting' | 'hashing' | 'sending' | 'saving' | 'paused' | 'failed' | 'done';

export type UploadItem = {
  /** Sorts as the files were added, also after a reload. */
  key: string;
  name: string;
  size: number;
  /** None once it is a document and the page was loaded anew. */
  file: File | null;
  title: string;
  /** As it was typed. */
  price: string;
  state: UploadState;
  /** Share of the present step, 0 to 1. */
  progress: number;
  error: string;
  /** The site said no for good: nothing but 重试 asks again. */
  isRefused: boolean;
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
  known: readonly Pick<UploadItem, 'name' | 'size'>[],
  { maxMegabytes, allowed }: Limits,
): { taken: File[]; refused: string[] } {
  const taken: File[] = [];
  const refused: string[] = [];
  const nameOf = (file: Pick<File, 'name' | 'size'>) => `${file.name.toLowerCase()}/${file.size}`;
  const names = new Set(known.map(nameOf));
  for (const file of files) {
    const extension = extensionOf(file.name);
    // Files the system makes for itself come along with folders.
    if (file.name.startsWith('.') || file.name.startsWith('~$')) continue;
    if (fileType(extension) === 'other' || (allowed.length > 0 && !allowed.includes(`.${extension}`)))
      refused.push(`${file.name} 不支持的文件格式，忽略该文件`);
    else if (file.size === 0) refused.push(`${file.name} 是空文件，忽略该文件`);
    else if (file.size > maxMegabytes * MB)
      refused.push(`${file.name} 大小为 ${formatSize(file.size)}，超过最大允许的 ${maxMegabytes} MB，忽略该文件`);
    else if (names.has(nameOf(file))) refused.push(`${file.name} 已在列表中`);
    else {
      names.add(nameOf(file));
      taken.push(file);
    }
  }
  return { taken, refused };
}

const newKey = (at: number) =>
  [Date.now(), String(at).padStart(6, '0'), ...crypto.getRandomValues(new Uint32Array(2))].join('-');

/** `at`: its place among the files that came with it. */
export const newItem = (file: File, price: string, at = 0): UploadItem => ({
  key: newKey(at),
  name: file.name,
  size: file.size,
  file,
  title: titleOf(file.name),
  price,
  state: 'waiting',
  progress: 0,
  error: '',
  isRefused: false,
  uploadUrl: '',
  attachmentId: 0,
  isSubmitted: false,
  isInstant: false,
  documentId: 0,
  same: [],
});

/** Both lists as one, each row once, in the order the files were added. */
export function merged(all: readonly UploadItem[], more: readonly UploadItem[]): UploadItem[] {
  const known = new Set(all.map(({ key }) => key));
  return [...all, ...more.filter(({ key }) => !known.has(key))].toSorted((one, other) =>
    one.key < other.key ? -1 : 1,
  );
}

/** What is wrong with what was typed about a file; '' when nothing is. */
export function rowProblem({ title, price }: Pick<UploadItem, 'title' | 'price'>): string {
  if (title.trim() === '') return '请输入标题';
  const problem = priceProblem(price);
  return problem && `售价不正确，${problem}`;
}

/** What 确定上传 sends. A refused file stays as it is; refused words may have been changed. */
export const isToSend = ({ state, isRefused, attachmentId }: UploadItem): boolean =>
  state === 'failed' ? !isRefused || attachmentId > 0 : state === 'waiting' || state === 'paused';

/** Asking again as it is brings the same answer, unlike after a login, a pause or a lost upload. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 404, 408, 423, 425, 429].includes(status);

const sentOf = ({ size, state, progress }: UploadItem): number => {
  if (state === 'done' || state === 'saving') return size;
  return state === 'hashing' || state === 'failed' ? 0 : size * progress;
};

/** Of all bytes that are to be sent, how many have been, in whole percent. */
export function totalPercent(items: readonly UploadItem[]): number {
  const total = items.reduce((sum, { size }) => sum + size, 0);
  const sent = items.reduce((sum, item) => sum + sentOf(item), 0);
  return total === 0 ? 0 : Math.floor((sent / total) * 100);
}
