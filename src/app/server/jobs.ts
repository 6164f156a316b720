import { deleteExpiredRows } from '#modules/account/delete-expired-rows.ts';
import { mailEmailCode } from '#modules/account/email-code.ts';
import { mailPasswordReset } from '#modules/account/reset-password.ts';
import { deleteUnusedAttachmentsJob } from '#modules/attachment/delete-unused-attachments.ts';
import { renderHiResPages } from '#modules/conversion/convert/render-hi-res-pages.ts';
import { requeueAfterProgramInstall } from '#modules/conversion/requeue-after-program-install.ts';
import { requeueOutdated } from '#modules/conversion/requeue-outdated.ts';
import { deleteOldViews } from '#modules/document/count-view.ts';
import { createUploadAwardsJob } from '#modules/document/pay-upload-awards.ts';
import { reconvertFailed } from '#modules/document/reconvert-documents.ts';
import { eraseExpiredDocuments } from '#modules/document/recycle/erase-documents.ts';
import { eraseRemovedFiles } from '#modules/document/recycle/erase-expired-files.ts';
import { deleteOldDownloadCounters } from '#modules/download/daily-limit.ts';
import { sendMail } from '#modules/mail/send-mail.ts';
import { isCopyOfOlderDocument } from '#modules/near-copy/list-near-copies.ts';
import { sketchDocuments, sketchRemainingFiles } from '#modules/near-copy/sketch-documents.ts';
import { deleteOldNotifications, sendMailDigest } from '#modules/notification/mail-digest.ts';
import { indexKeywords } from '#modules/related/index-keywords.ts';
import { indexDocuments } from '#modules/search/index/index-documents.ts';
import { updateSuggestionWeights } from '#modules/search/index/store-suggestions.ts';
import { deleteOldSearches } from '#modules/search/log/search-records.ts';
import { generateSitemap } from '#modules/sitemap/generate-sitemap.ts';
import { deleteExpiredUploads } from '#modules/upload/resumable-upload.ts';
import type { Context } from '#platform/server/context.ts';
import type { Job } from '#platform/server/jobs/jobs.ts';

export const payUploadAwards = createUploadAwardsJob(isCopyOfOlderDocument);

/** All jobs. A job that is not listed here does not run. */
export const jobs = [
  deleteUnusedAttachmentsJob,
  deleteExpiredRows,
  sendMail,
  mailPasswordReset,
  mailEmailCode,
  renderHiResPages,
  requeueAfterProgramInstall,
  requeueOutdated,
  reconvertFailed,
  deleteExpiredUploads,
  eraseExpiredDocuments,
  eraseRemovedFiles,
  payUploadAwards,
  deleteOldDownloadCounters,
  deleteOldViews,
  indexKeywords,
  sketchDocuments,
  sketchRemainingFiles,
  sendMailDigest,
  deleteOldNotifications,
  indexDocuments,
  updateSuggestionWeights,
  deleteOldSearches,
  generateSitemap,
];

/** Daily jobs run at night in the time zone of the site, except the mail digest. */
export const schedules: { job: Job<Context, object>; cron: string }[] = [
  { job: deleteUnusedAttachmentsJob, cron: '17 * * * *' },
  { job: requeueAfterProgramInstall, cron: '* * * * *' },
  { job: requeueOutdated, cron: '* * * * *' },
  { job: deleteExpiredUploads, cron: '29 * * * *' },
  { job: eraseRemovedFiles, cron: '*/5 * * * *' },
  { job: payUploadAwards, cron: '* * * * *' },
  { job: eraseExpiredDocuments, cron: '23 3 * * *' },
  { job: deleteExpiredRows, cron: '41 3 * * *' },
  { job: deleteOldDownloadCounters, cron: '47 3 * * *' },
  { job: deleteOldViews, cron: '7 * * * *' },
  { job: indexKeywords, cron: '* * * * *' },
  { job: sketchRemainingFiles, cron: '11 2 * * *' },
  { job: sendMailDigest, cron: '30 8 * * *' },
  { job: deleteOldNotifications, cron: '53 3 * * *' },
  // A fallback: `indexOnChange` indexes changed documents immediately; see start-site.ts.
  { job: indexDocuments, cron: '* * * * *' },
  { job: updateSuggestionWeights, cron: '37 * * * *' },
  { job: deleteOldSearches, cron: '53 3 * * *' },
  { job: generateSitemap, cron: '*/10 * * * *' },
];
