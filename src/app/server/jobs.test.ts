import { expect, test } from 'vitest';
import { settleUploadAwards } from '#modules/document/settle-awards.ts';
import { jobs, schedules } from './jobs.ts';

test('the workers run the job that settles upload awards every minute', () => {
  expect(jobs).toContain(settleUploadAwards);
  expect(schedules).toContainEqual({ job: settleUploadAwards, cron: '* * * * *' });
});

test('every scheduled job is registered and scheduled once', () => {
  const names = jobs.map(({ name }) => name);
  const scheduledNames = schedules.map(({ job }) => job.name);
  expect(scheduledNames.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(scheduledNames).size).toBe(scheduledNames.length);
});
