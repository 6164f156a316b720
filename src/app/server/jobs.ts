import { convertContent, convertSlowly } from '#modules/content/convert/convert-content.ts';
import { resumeWaiting } from '#modules/content/resume-waiting.ts';
import { cleanUnusedFiles } from '#modules/file/clean-unused-files.ts';
import { sendMail } from '#modules/mail/send-mail.ts';
import { removeOldUploads } from '#modules/upload/resumable-upload.ts';
import { mailPasswordReset } from '#modules/user/find-password.ts';
import { removeExpired } from '#modules/user/remove-expired.ts';

/** Every job there is; a job not listed here does not run. */
export const jobs = [
  cleanUnusedFiles,
  removeExpired,
  sendMail,
  mailPasswordReset,
  convertContent,
  convertSlowly,
  resumeWaiting,
  removeOldUploads,
];

/** What happens by the clock, in the site's quiet hours where it may. */
export const schedules = [
  { job: cleanUnusedFiles, cron: '17 * * * *' },
  { job: resumeWaiting, cron: '* * * * *' },
  { job: removeOldUploads, cron: '29 * * * *' },
  { job: removeExpired, cron: '41 3 * * *' },
];
