import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { migrate } from '#platform/server/db/migrate.ts';
import { emptySite } from '#testing/empty-site.ts';
import { catalogueOf, expectUpgraded } from '#testing/upgraded-site.ts';
import { version01Site } from '#testing/version-0-1-site.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-old-schema-'));
afterAll(() => rm(folder, { recursive: true }));

test('a database of version 0.1 is upgraded to the current schema with all rows and id counters', async () => {
  const [{ pool }, newSite] = [await version01Site(folder), await emptySite(folder, () => new Date())];
  await migrate(pool);
  await migrate(newSite.pool);
  await expectUpgraded(pool);
  expect(await catalogueOf(pool)).toEqual(await catalogueOf(newSite.pool));
});
