import { type DocumentStatus, documentStatus } from './document.contract.ts';

const { waiting, converting, converted, failed, disabled, reconverting, underReview, refused } = documentStatus;
/** Publicly visible, even if not converted yet. */
export const publishedStatuses = [waiting, converting, converted, failed, reconverting] as const;
/** Withdrawn or not yet approved by reviewers. */
export const unpublishedStatuses = [disabled, underReview, refused] as const;
/** Waiting for conversion or being converted. */
export const unconvertedStatuses = [waiting, converting, reconverting] as const;
export const includesStatus = (statuses: readonly DocumentStatus[], status: number): boolean =>
  (statuses as readonly number[]).includes(status);
