/**
 * Runs concurrent ledger operations that have no endpoint directly on the database until it is killed. Prints a line for
 * each acknowledged operation. Arguments: database URL, number of the round, user ids.
 */
import fc from 'fast-check';
import { buildContext } from '#app/server/build-context.ts';
import {
  expectedEntries,
  operationArbitrary,
  performOperation,
} from '#modules/credit/random-ledger-history.fixture.ts';
import { loadConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';

const CONCURRENT_CLIENTS = 6;
/** Few keys, so that clients often post the same event concurrently. */
const KEY_COUNT = 4000;
const [databaseUrl = '', round = '', users = ''] = process.argv.slice(2);
const userIds = users.split(',').map(Number);
const { ctx } = await buildContext(loadConfig(), databaseUrl, createLog('fatal'));

async function postOperations(): Promise<never> {
  for (;;) {
    const [operation] = fc.sample(operationArbitrary, 1);
    if (!operation || operation.kind === 'adjust' || (operation.kind === 'transfer' && operation.from === operation.to))
      continue;
    const key = `stress:${round}:${Math.floor(Math.random() * KEY_COUNT)}`;
    const outcome = await performOperation(ctx, operation, key, userIds);
    if (outcome === 'applied')
      process.stdout.write(`${JSON.stringify({ key, entries: expectedEntries(operation, userIds) })}\n`);
  }
}
// Ends when the database or this process is killed; there is nothing to clean up.
await Promise.all(Array.from({ length: CONCURRENT_CLIENTS }, postOperations)).catch(() => process.exit(1));
