import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreBackup } from '#app/backup/restore-backup.ts';
import { writeBackup } from '#app/backup/write-backup.ts';
import { emptySite } from '#testing/empty-site.ts';
import { testApp } from '#testing/test-app.ts';
import { awardDaily } from './award-daily.ts';
import { balanceOf, happening, userHolding } from './credit.fixture.ts';
import { award, charge, transfer } from './credit.ts';
import { brokenRules } from './ledger.fixture.ts';

const site = await testApp();

test('a restored site keeps its books, goes on with them, and still guards them', async () => {
  const [buyer, author, leaver] = [
    await userHolding(site.ctx, 20),
    await userHolding(site.ctx),
    await userHolding(site.ctx, 5),
  ];
  const sale = happening();
  await transfer(site.ctx, buyer, author, 8, sale);
  await awardDaily(site.ctx, author, 5, { ...happening(), limit: 1 });
  await site.pool.query('delete from users where id = $1', [leaver]);
  const file = join(site.folder, 'site.backup');
  await writeBackup(site, file);

  const copy = await emptySite(site.folder, () => site.clock.now);
  await restoreBackup(copy, file);
  expect(await brokenRules(copy.pool)).toEqual([]);
  expect(await transfer(copy.ctx, buyer, author, 8, sale)).toBe('already');
  expect(await awardDaily(copy.ctx, author, 5, { ...happening(), limit: 1 })).toBe(0);
  expect(await award(copy.ctx, buyer, 1, happening())).toBe(1);
  await expect(charge(copy.ctx, buyer, 14, happening())).rejects.toThrow('不足');
  expect([await balanceOf(copy.ctx, buyer), await balanceOf(copy.ctx, author)]).toEqual([13, 13]);
  await expect(copy.pool.query('delete from ledger_entries')).rejects.toThrow('append-only');
  expect(await brokenRules(copy.pool)).toEqual([]);
});
