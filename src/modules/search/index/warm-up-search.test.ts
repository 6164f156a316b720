import type { AddressInfo } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { fakeOpenSearch } from '../fake-opensearch.fixture.ts';
import { warmUpSearch } from './warm-up-search.ts';

test('the first start on an empty OpenSearch creates the index and logs no warning', async () => {
  const cluster = fakeOpenSearch();
  await new Promise<void>((resolve) => cluster.listen(0, '127.0.0.1', resolve));
  afterAll(() => cluster.close());
  const { port } = cluster.address() as AddressInfo;
  const { ctx } = await testApp({ env: { SEARCH_URL: `http://127.0.0.1:${port}` } });
  const warn = vi.spyOn(ctx.log, 'warn');
  await warmUpSearch(ctx);
  expect(warn).not.toHaveBeenCalled();
});
