import { type DocumentStatus, documentStatus } from './document.contract.ts';

const { waiting, converting, converted, failed, disabled, again, underReview, refused } = documentStatus;
/** What everybody sees, as far as its pages are made. */
export const publishedStatuses = [waiting, converting, converted, failed, again] as const;
/** What those who review have taken from there, or not put there yet. */
export const unpublishedStatuses = [disabled, underReview, refused] as const;
/** Its pages are to be made. */
export const unconvertedStatuses = [waiting, converting, again] as const;
export const isOneOf = (statuses: readonly DocumentStatus[], status: number): boolean =>
  (statuses as readonly number[]).includes(status);
