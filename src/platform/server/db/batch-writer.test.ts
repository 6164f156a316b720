import { expect, test } from 'vitest';
import { createBatchWriter } from './batch-writer.ts';

test('rows that arrive during a write are written together by the next one', async () => {
  const writes: { rows: number[]; finish: () => void }[] = [];
  const add = createBatchWriter<number>(async (rows) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    writes.push({ rows, finish: resolve });
    await promise;
  });
  const first = add(1);
  await expect.poll(() => writes.length).toBe(1);
  const laterRows = Promise.all([add(2), add(3)]);
  writes[0]?.finish();
  await first;
  await expect.poll(() => writes.length).toBe(2);
  writes[1]?.finish();
  await laterRows;
  expect(writes.map(({ rows }) => rows)).toEqual([[1], [2, 3]]);
});

test('a failed write fails its own rows and not the next ones', async () => {
  const writtenRows: string[] = [];
  const add = createBatchWriter<string>(async (rows) => {
    if (rows.includes('bad')) throw new Error('the disk is full');
    writtenRows.push(...rows);
  });
  const outcomes = Promise.allSettled([add('bad'), add('beside it')]);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await add('later');
  expect(writtenRows).toEqual(['later']);
});
