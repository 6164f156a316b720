import { expect, test } from 'vitest';
import { jobs, payUploadAwards, schedules } from './jobs.ts';

test('the workers run the job that pays upload awards every minute', () => {
  expect(jobs).toContain(payUploadAwards);
  expect(schedules).toContainEqual({ job: payUploadAwards, cron: '* * * * *' });
});

test('every scheduled job is registered and scheduled once', () => {
  const names = jobs.map(({ name }) => name);
  const scheduledNames = schedules.map(({ job }) => job.name);
  expect(scheduledNames.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(scheduledNames).size).toBe(scheduledNames.length);
});
