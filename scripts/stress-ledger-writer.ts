/**
 * Moves beans without pause until it is killed, several at a time, on the database itself: what has
 * no endpoint. Writes a line for each operation that was acknowledged.
 * Arguments: database, number of the round, user ids.
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

const CLIENTS = 6;
/** Few enough that the same event is often posted by several at the same time. */
const KEYS = 4000;
const [databaseUrl = '', round = '', users = ''] = process.argv.slice(2);
const userIds = users.split(',').map(Number);
const { ctx } = await buildContext(loadConfig(), databaseUrl, createLog('fatal'));

async function move(): Promise<never> {
  for (;;) {
    const [drawn] = fc.sample(operationArbitrary, 1);
    if (!drawn || drawn.kind === 'adjust' || (drawn.kind === 'transfer' && drawn.from === drawn.to)) continue;
    const key = `stress:${round}:${Math.floor(Math.random() * KEYS)}`;
    const outcome = await performOperation(ctx, drawn, key, userIds);
    if (outcome === 'applied')
      process.stdout.write(`${JSON.stringify({ key, entries: expectedEntries(drawn, userIds) })}\n`);
  }
}
// The database dies first or we do: either way there is nothing to clean up.
await Promise.all(Array.from({ length: CLIENTS }, move)).catch(() => process.exit(1));
