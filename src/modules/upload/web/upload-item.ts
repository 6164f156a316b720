import { validatePrice } from '#modules/document/web/validate-price.ts';
import { storedExtensionCandidates } from '#platform/contract/extension-aliases.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { fileTypeOfExtension } from '#platform/contract/file-type.ts';

/** `sent`: the server has the file, which is not published before the user submits it. */
type UploadState = 'waiting' | 'hashing' | 'sending' | 'sent' | 'saving' | 'paused' | 'failed' | 'done';

/** A document in an archive on the server. */
export type ArchiveReference = { uploadId: string; index: number; size: number };

export type UploadItem = {
  /** Sorts in the order in which the files were added, also after a reload. */
  key: string;
  name: string;
  size: number;
  /** Null for a finished upload after a reload. */
  file: File | null;
  /** Set for a document of an archive, whose `file` is empty. */
  archive: ArchiveReference | null;
  /** Category of this item; 0 means the one that is selected for all. */
  categoryId: number;
  title: string;
  /** Text of the input field. */
  price: string;
  state: UploadState;
  /** Progress of the current step, 0 to 1. */
  progress: number;
  error: string;
  /** The server rejected the file permanently: only 重试 sends it again. */
  isRefused: boolean;
  uploadUrl: string;
  attachmentId: number;
  /** The user has submitted the row: it is published when its file is sent. */
  isSubmitted: boolean;
  isInstant: boolean;
  documentId: number;
  /** Documents of the site with the same file. */
  same: { id: number; title: string }[];
};

const MB = 1024 * 1024;
export const MAX_TITLE_LENGTH = 255;

export const fileNameExtension = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
const titleFromName = (name: string) =>
  name
    .replace(/\.[a-z0-9]+$/i, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH) || name;

export type UploadLimits = { maxMegabytes: number; allowedExtensions: readonly string[] };

/** Separates files that can be uploaded from the others, with a message for each rejected file. */
export function partitionFiles(
  files: readonly File[],
  existingItems: readonly Pick<UploadItem, 'name' | 'size'>[],
  { maxMegabytes, allowedExtensions }: UploadLimits,
): { accepted: File[]; rejected: string[] } {
  const acceptedFiles: File[] = [];
  const rejectionTexts: string[] = [];
  const identityOf = (file: Pick<File, 'name' | 'size'>) => `${file.name.toLowerCase()}/${file.size}`;
  const identities = new Set(existingItems.map(identityOf));
  for (const file of files) {
    const isAllowed = storedExtensionCandidates(fileNameExtension(file.name)).some(
      (extension) =>
        fileTypeOfExtension(extension) !== 'other' &&
        (allowedExtensions.length === 0 || allowedExtensions.includes(`.${extension}`)),
    );
    // Folders contain hidden files of the system.
    if (file.name.startsWith('.') || file.name.startsWith('~$')) continue;
    if (!isAllowed) rejectionTexts.push(`${file.name} 不支持的文件格式，忽略该文件`);
    else if (file.size === 0) rejectionTexts.push(`${file.name} 是空文件，忽略该文件`);
    else if (file.size > maxMegabytes * MB)
      rejectionTexts.push(
        `${file.name} 大小为 ${formatSize(file.size)}，超过最大允许的 ${maxMegabytes} MB，忽略该文件`,
      );
    else if (identities.has(identityOf(file))) rejectionTexts.push(`${file.name} 已在列表中`);
    else {
      identities.add(identityOf(file));
      acceptedFiles.push(file);
    }
  }
  return { accepted: acceptedFiles, rejected: rejectionTexts };
}

const newUploadKey = (index: number) =>
  [Date.now(), String(index).padStart(6, '0'), ...crypto.getRandomValues(new Uint32Array(2))].join('-');

/** `index`: position among the files that were added together. */
export const newUploadItem = (file: File, price: string, index = 0): UploadItem => ({
  key: newUploadKey(index),
  name: file.name,
  size: file.size,
  file,
  archive: null,
  categoryId: 0,
  title: titleFromName(file.name),
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

/** Merges two lists without duplicates, in the order in which the files were added. */
export function mergeItems(items: readonly UploadItem[], newItems: readonly UploadItem[]): UploadItem[] {
  const existingKeys = new Set(items.map(({ key }) => key));
  return [...items, ...newItems.filter(({ key }) => !existingKeys.has(key))].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
}

/** Returns a message about an invalid title or price, or ''. */
export function findRowProblem({ title, price }: Pick<UploadItem, 'title' | 'price'>): string {
  if (title.trim() === '') return '请输入标题';
  const problem = validatePrice(price);
  return problem && `售价不正确，${problem}`;
}

/** Whether 确定上传 publishes the item. A rejected file is not sent again; a rejected title or price may have been changed. */
export const isSubmittable = ({ state, isRefused, attachmentId, isSubmitted }: UploadItem): boolean => {
  if (state === 'failed') return !isRefused || attachmentId > 0;
  return state === 'paused' || state === 'waiting' || (!isSubmitted && state !== 'saving' && state !== 'done');
};

/** The state of an item that is sent or published next. */
export const stateOfNextAttempt = ({ attachmentId }: Pick<UploadItem, 'attachmentId'>): UploadState =>
  attachmentId > 0 ? 'sent' : 'waiting';

/** Whether a transfer of the item is under way. */
export const isBusy = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  state === 'hashing' || state === 'sending' || state === 'saving';

/** Whether the user waits for the publication of the item. */
export const isPublishing = (item: UploadItem): boolean => item.isSubmitted && isBusy(item);

/** Whether the file waits for its transfer, which starts before the user submits the row. */
export const isReadyToSend = (item: UploadItem): item is UploadItem & { file: File } =>
  item.state === 'waiting' && item.file !== null;

/** Whether the document can be created. */
export const isReadyToPublish = (item: UploadItem): item is UploadItem & { file: File } =>
  item.state === 'sent' && item.isSubmitted && item.file !== null && !findRowProblem(item);

/** Retrying cannot succeed, unlike after a login, a pause or a lost upload. */
export const isPermanentRejection = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 404, 408, 423, 425, 429].includes(status);

const countSentBytes = ({ size, state, progress }: UploadItem): number => {
  if (state === 'done' || state === 'saving' || state === 'sent') return size;
  return state === 'hashing' || state === 'failed' ? 0 : size * progress;
};

const MAX_UNPUBLISHED_PERCENT = 99;

/** Percentage of the bytes that are sent, rounded down; 100 only when all documents are published. */
export function totalPercent(items: readonly UploadItem[]): number {
  const totalBytes = items.reduce((sum, { size }) => sum + size, 0);
  const sentBytes = items.reduce((sum, item) => sum + countSentBytes(item), 0);
  const percent = totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100);
  return items.every(({ state }) => state === 'done') ? percent : Math.min(MAX_UNPUBLISHED_PERCENT, percent);
}

/** Percentage of the current step of a row, below 100 before the publication. */
export const rowPercent = ({ progress }: Pick<UploadItem, 'progress'>): number =>
  Math.min(MAX_UNPUBLISHED_PERCENT, Math.round(progress * 100));

/** `index`: position among the items that were added together. */
export const newArchiveItem = (
  { name, archive, categoryId }: Pick<UploadItem, 'name' | 'categoryId'> & { archive: ArchiveReference },
  price: string,
  index: number,
): UploadItem => ({
  ...newUploadItem(new File([], name), price, index),
  archive,
  size: archive.size,
  categoryId,
});
