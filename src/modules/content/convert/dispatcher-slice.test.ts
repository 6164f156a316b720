import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addContent } from '../content.fixture.ts';
import { findContent } from '../content.ts';
import type { convertDocument } from './convert-document.ts';
import { startConversions } from './dispatcher.ts';

vi.setConfig({ testTimeout: 120_000 });
const WATCH_PERIODS_MS = 1_600;
const LEASE_RENEWAL_MS = 5_000;
const NO_PROCESS = 2 ** 30;
const site = await testApp({ env: { LOG_LEVEL: 'silent' } });

test('a conversion that moves to the background is not interrupted when the database answers slowly', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const finished = Promise.withResolvers<void>();
  const convert: typeof convertDocument = async (_ctx, lease, { workload, signal }) => {
    workload.report(NO_PROCESS, 1_000);
    started.resolve(signal);
    await finished.promise;
    await lease.release({ convert_after: null });
  };
  const answers: ((isWaiting: boolean) => void)[] = [];
  const doOthersWait = () => new Promise<boolean>((answer) => answers.push(answer));
  await addContent(site.ctx, '沉重.txt', Buffer.from('沉重'));
  const conversions = startConversions(site.ctx, { convert, doOthersWait });
  const signal = await started.promise;
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  await sleep(WATCH_PERIODS_MS);
  for (const answer of answers) answer(true);
  await sleep(0);
  expect(signal.aborted).toBe(false);
  finished.resolve();
  await conversions.stop();
});

test('the lease of a conversion is not renewed any more when its outcome could not be stored', async () => {
  const convert = () => Promise.reject(new Error('the connection was closed'));
  const doOthersWait = () => Promise.resolve(false);
  const { id } = await addContent(site.ctx, '失联.txt', Buffer.from('失联'));
  const leaseEnd = async () => (await findContent(site.ctx, id))?.lease_until;
  const conversions = startConversions(site.ctx, { convert, doOthersWait });
  await expect.poll(leaseEnd).toEqual(expect.any(String));
  await conversions.stop();
  const end = await leaseEnd();
  await sleep(LEASE_RENEWAL_MS + 1_000);
  expect(await leaseEnd()).toBe(end);
});
