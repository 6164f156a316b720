import { expect, test } from 'vitest';
import { settleUploadAwards } from '#modules/document/settle-awards.ts';
import { jobs, schedules } from './jobs.ts';

test('the job that settles upload awards is run by the workers and scheduled every minute', () => {
  expect(jobs).toContain(settleUploadAwards);
  expect(schedules).toContainEqual({ job: settleUploadAwards, cron: '* * * * *' });
});

test('every scheduled job is one that the workers run, and is scheduled once', () => {
  const names = jobs.map(({ name }) => name);
  const scheduledNames = schedules.map(({ job }) => job.name);
  expect(scheduledNames.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(scheduledNames).size).toBe(scheduledNames.length);
});
