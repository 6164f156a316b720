import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { startEventDelivery } from '#platform/server/events/deliver-events.ts';
import { recordEvents } from '#platform/server/events/record-events.ts';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';

const firstNode = await testApp({ deliversEvents: false });
const secondNode = await startSecondNode(firstNode);

const REPETITIONS = 6;
const LIMIT_MS = 1_000;
const POLL_INTERVAL_MS = 10;
/** A delivery that has not ended would also deliver the event of the next repetition. */
const PAUSE_MS = 200;

/**
 * Milliseconds of the fastest repetition, because other programs delay single ones on a busy machine. The first one is not
 * counted: the second node has nothing cached and has not begun to wait.
 */
async function fastestDuration(change: (repetition: number) => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const startedAt = performance.now();
    await change(repetition);
    durations.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  }
  return Math.min(...durations.slice(1));
}

test('a site that is closed or reopened on one node is so on the other within a second', async () => {
  const readStatus = async () => (await secondNode.app.inject('/api/v1/category/list')).statusCode;
  const duration = await fastestDuration(async (repetition) => {
    const isClosed = repetition % 2 === 0;
    await setSetting(firstNode.ctx, 'security.is_close', String(isClosed));
    await expect.poll(readStatus, { interval: POLL_INTERVAL_MS }).toBe(isClosed ? 503 : 200);
  });
  expect(duration).toBeLessThan(LIMIT_MS);
});

test('an event that is recorded on one node is delivered on the other within a second', async () => {
  const deliveredIds: number[] = [];
  const handle = async (_ctx: object, changes: { id: number }[]) => {
    deliveredIds.push(...changes.map(({ id }) => id));
  };
  const delivery = startEventDelivery(secondNode.ctx, [{ name: 'recorder', subject: 'rendition', handle }]);
  const duration = await fastestDuration(async (repetition) => {
    await recordEvents(firstNode.ctx, 'rendition', 'changed', [repetition]);
    await expect.poll(() => deliveredIds, { interval: POLL_INTERVAL_MS }).toContain(repetition);
  });
  expect(duration).toBeLessThan(LIMIT_MS);
  await delivery.stop();
});
