import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';
import { propertyRuns } from '#testing/test-tier.ts';
import { balanceOf, createUserWithCredit, numbersUpTo } from './credit.fixture.ts';
import { entriesByEventKey, findLedgerViolations } from './ledger.fixture.ts';
import {
  expectedEntries,
  type LedgerOperation,
  type Outcome,
  operationArbitrary,
  performOperation,
} from './random-ledger-history.fixture.ts';

const CLIENT_COUNT = 8;
const START_BALANCE = 40;
const DAILY_LIMIT = 3;
const firstNode = await testApp();
const nodes = [{ ctx: firstNode.ctx, app: firstNode.app }, await startSecondNode(firstNode)];
const root = await firstNode.as.root();

type PerformedOperation = { operation: LedgerOperation; key: string; outcome: Outcome };

async function adjust(node: (typeof nodes)[number], { from, to, amount, key }: LedgerOperation, users: number[]) {
  const answer = await node.app.inject({
    method: 'POST',
    url: '/api/v1/user/credit',
    headers: root,
    payload: {
      user_id: users[from],
      amount: to % 2 === 1 ? -amount : amount,
      note: `${from} ${to} ${amount}`,
      key: `history-${users[0]}-${key}`,
    },
  });
  return answer.statusCode;
}

/** Runs the operations on both nodes: each client performs its share in order, all clients concurrently. */
async function performAll(history: LedgerOperation[], users: number[]): Promise<PerformedOperation[]> {
  const performedOperations: PerformedOperation[] = [];
  await Promise.all(
    numbersUpTo(CLIENT_COUNT).map(async (client) => {
      const node = nodes[client % nodes.length];
      if (!node) throw new Error('no node');
      for (const each of history.filter((_, index) => index % CLIENT_COUNT === client)) {
        if (each.kind === 'adjust') {
          const status = await adjust(node, each, users);
          expect([200, 403, 409]).toContain(status);
          const key = `adjustment:1:history-${users[0]}-${each.key}`;
          performedOperations.push({ operation: each, key, outcome: status === 200 ? 'applied' : 'skipped' });
        } else {
          const key = `history:${users[0]}:${each.key}`;
          performedOperations.push({
            operation: each,
            key,
            outcome: await performOperation(node.ctx, each, key, users),
          });
        }
      }
    }),
  );
  return performedOperations;
}

test('the ledger is consistent and contains every acknowledged operation once after random concurrent operations', async () => {
  let operations = 0;
  const runs = propertyRuns({ quick: 5, full: 25 });
  await fc.assert(
    fc.asyncProperty(fc.array(operationArbitrary, { minLength: 40, maxLength: 120 }), async (generatedOperations) => {
      const history = generatedOperations.filter(({ kind, from, to }) => kind !== 'transfer' || from !== to);
      const users = await Promise.all(numbersUpTo(4).map(() => createUserWithCredit(firstNode.ctx, START_BALANCE)));
      const performedOperations = await performAll(history, users);
      operations += performedOperations.length;

      const postedEntries = await entriesByEventKey(firstNode.pool, [
        ...new Set(performedOperations.map(({ key }) => key)),
      ]);
      const expected = new Map<string, Record<string, number>>();
      for (const { operation, key, outcome } of performedOperations) {
        if (outcome === 'skipped') continue;
        const entries = expectedEntries(operation, users);
        // A repeated adjustment is acknowledged again; every other operation is acknowledged once.
        if (operation.kind !== 'adjust') expect(expected.has(key), key).toBe(false);
        else expect(expected.get(key) ?? entries).toEqual(entries);
        expected.set(key, entries);
      }
      expect(postedEntries).toEqual(expected);

      for (const [index, id] of users.entries()) {
        const sum = [...expected.values()].reduce(
          (total, entries) => total + (entries[`user:${id}`] ?? 0),
          START_BALANCE,
        );
        expect(await balanceOf(firstNode.ctx, id), `user ${index}`).toBe(sum);
        const daily = performedOperations.filter(
          ({ operation: { kind, from }, outcome }) => kind === 'daily' && from === index && outcome === 'applied',
        );
        expect(daily.length).toBeLessThanOrEqual(DAILY_LIMIT);
      }
      expect(await findLedgerViolations(firstNode.pool)).toEqual([]);
    }),
    runs,
  );
  expect(operations).toBeGreaterThan(40 * runs.numRuns);
});
