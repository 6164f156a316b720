import { isBusy, isSubmittable, mergeItems, stateOfNextAttempt, type UploadItem } from './upload-item.ts';

export type UploadList = { items: UploadItem[]; categoryId: number };
export const EMPTY_UPLOAD_LIST: UploadList = { items: [], categoryId: 0 };

/** Why an upload failed, and which values of its row the next attempt must not use again. */
export type UploadFailure = Pick<UploadItem, 'error'> &
  Partial<Pick<UploadItem, 'isRefused' | 'uploadUrl' | 'attachmentId'>>;

/** What happened to one upload. */
export type UploadStep =
  | { type: 'edited'; values: Partial<Pick<UploadItem, 'title' | 'price' | 'categoryId'>> }
  /** The user continues a paused upload or retries a failed one. */
  | { type: 'resumed' }
  | { type: 'started' }
  | { type: 'hashingProgressed'; progress: number }
  | { type: 'sendingProgressed'; progress: number }
  | { type: 'uploadUrlReceived'; uploadUrl: string }
  | { type: 'fileSent'; attachmentId: number; isInstant: boolean }
  | { type: 'savingStarted' }
  | { type: 'documentCreated'; documentId: number; same: UploadItem['same'] }
  | { type: 'failed'; failure: UploadFailure }
  | { type: 'paused' };

/** What happened to the list. */
type UploadListEvent =
  | { type: 'filesAdded'; items: UploadItem[] }
  /** Uploads of an earlier visit were read from the browser's storage. */
  | { type: 'restored'; items: UploadItem[]; finishedItems: UploadItem[]; categoryId: number }
  | { type: 'claimedByOtherPage'; keys: readonly string[] }
  | { type: 'categorySelected'; categoryId: number }
  | { type: 'submitted' }
  | { type: 'networkRestored' }
  | { type: 'removed'; key: string }
  | { type: 'finishedRemoved' };

export type UploadEvent = (UploadStep & { key: string }) | UploadListEvent;

export function reduceUploads(list: UploadList, event: UploadEvent): UploadList {
  const { items } = list;
  switch (event.type) {
    case 'filesAdded':
      return { ...list, items: [...items, ...event.items] };
    case 'restored':
      return {
        // An upload that was being saved when the page was left may be finished now.
        items: mergeItems(mergeItems(items, event.items), event.finishedItems),
        categoryId: list.categoryId || event.categoryId,
      };
    case 'claimedByOtherPage':
      return { ...list, items: items.filter(({ key, state }) => state === 'done' || !event.keys.includes(key)) };
    case 'categorySelected':
      return { ...list, categoryId: event.categoryId };
    case 'submitted':
      return { ...list, items: items.map(submitItem) };
    case 'networkRestored':
      return {
        ...list,
        items: items.map((item) => (isInterrupted(item) ? { ...item, state: stateOfNextAttempt(item) } : item)),
      };
    case 'removed':
      return { ...list, items: items.filter(({ key }) => key !== event.key) };
    case 'finishedRemoved':
      return { ...list, items: items.filter(({ state }) => state !== 'done') };
    default:
      return { ...list, items: items.map((item) => (item.key === event.key ? reduceUploadItem(item, event) : item)) };
  }
}

/** A transfer that runs already goes on. A rejected file stays in the list with its reason, also after a reload. */
function submitItem(item: UploadItem): UploadItem {
  const isRejected = item.state === 'failed' && !isSubmittable(item);
  if (isRejected || isBusy(item)) return { ...item, isSubmitted: true };
  return isSubmittable(item) ? { ...item, isSubmitted: true, state: stateOfNextAttempt(item) } : item;
}

const isInterrupted = ({ state, isRefused }: UploadItem) => state === 'failed' && !isRefused;

export function reduceUploadItem(item: UploadItem, step: UploadStep): UploadItem {
  const { state } = item;
  switch (step.type) {
    case 'edited':
      return { ...item, ...step.values };
    case 'resumed':
      return { ...item, state: stateOfNextAttempt(item), error: '' };
    case 'started':
      return { ...item, state: 'hashing', progress: 0, error: '', isRefused: false };
    // Progress may arrive after a pause.
    case 'hashingProgressed':
      return state === 'hashing' ? { ...item, progress: step.progress } : item;
    case 'sendingProgressed':
      return state === 'hashing' || state === 'sending' ? { ...item, state: 'sending', progress: step.progress } : item;
    case 'uploadUrlReceived':
      return { ...item, uploadUrl: step.uploadUrl };
    case 'fileSent':
      return {
        ...item,
        state: isBusy(item) ? 'sent' : state,
        attachmentId: step.attachmentId,
        isInstant: step.isInstant,
      };
    case 'savingStarted':
      return { ...item, state: 'saving', progress: 1, error: '' };
    case 'documentCreated':
      return { ...item, state: 'done', progress: 1, documentId: step.documentId, same: step.same };
    case 'failed':
      return { ...item, state: 'failed', ...step.failure };
    // The user may have continued the upload before its transfer has stopped.
    case 'paused':
      return isBusy(item) ? { ...item, state: 'paused' } : item;
  }
}
