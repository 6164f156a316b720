import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreBackup } from '#app/backup/restore-backup.ts';
import { writeBackup } from '#app/backup/write-backup.ts';
import { emptySite } from '#testing/empty-site.ts';
import { testApp } from '#testing/test-app.ts';
import { awardCreditWithDailyLimit } from './award-credit-with-daily-limit.ts';
import { balanceOf, createUserWithCredit, testEvent } from './credit.fixture.ts';
import { awardCredit, chargeCredit, transferCredit } from './credit.ts';
import { findLedgerViolations } from './ledger.fixture.ts';

const site = await testApp();

test('a restored site has a consistent ledger that accepts new events and rejects deletions', async () => {
  const [buyer, author, deletedUser] = [
    await createUserWithCredit(site.ctx, 20),
    await createUserWithCredit(site.ctx),
    await createUserWithCredit(site.ctx, 5),
  ];
  const saleEvent = testEvent();
  await transferCredit(site.ctx, buyer, author, 8, saleEvent);
  await awardCreditWithDailyLimit(site.ctx, author, 5, { ...testEvent(), limit: 1 });
  await site.pool.query('delete from users where id = $1', [deletedUser]);
  const file = join(site.folder, 'site.backup');
  await writeBackup(site, file);

  const copy = await emptySite(site.folder, () => site.clock.now);
  await restoreBackup(copy, file);
  expect(await findLedgerViolations(copy.pool)).toEqual([]);
  expect(await transferCredit(copy.ctx, buyer, author, 8, saleEvent)).toBe('already');
  expect(await awardCreditWithDailyLimit(copy.ctx, author, 5, { ...testEvent(), limit: 1 })).toBe(0);
  expect(await awardCredit(copy.ctx, buyer, 1, testEvent())).toBe(1);
  await expect(chargeCredit(copy.ctx, buyer, 14, testEvent())).rejects.toThrow('不足');
  expect([await balanceOf(copy.ctx, buyer), await balanceOf(copy.ctx, author)]).toEqual([13, 13]);
  await expect(copy.pool.query('delete from ledger_entries')).rejects.toThrow('append-only');
  expect(await findLedgerViolations(copy.pool)).toEqual([]);
});
