import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sentence } from './bench-book.ts';
import { median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const ROUNDS = 31;

/** A site that holds so many documents, at rest. */
async function siteWith(server: Awaited<ReturnType<typeof killableServer>>, documents: number) {
  await server.start();
  await server.dropCaptcha();
  const database = new pg.Client(await server.databaseUrl());
  await database.connect();
  await database.query(
    `with made as (
       insert into renditions (hash, format, size, state, view, pages, ready_pages, version, user_id)
       select md5(n::text) || md5((n + 1)::text), 'txt', 100, 'ready', 'flow', 1, 1, 1, 1
       from generate_series(1, $1::int) n returning id)
     insert into documents (user_id, rendition_id, title, ext, format, size, status)
     select 1, id, '填充 ' || id, '.txt', 'txt', 100, 2 from made`,
    [documents],
  );
  await database.query('analyze');
  // They are to be found and compared too: that goes on in the background for a while.
  for (let isBusy = true; isBusy; await sleep(1_000)) {
    const { rows } = await database.query<{ busy: boolean }>(
      'select exists (table search_index_queue) or exists (table related_terms_queue) as busy',
    );
    isBusy = rows[0]?.busy ?? false;
  }
  await database.end();
  const site = await siteClient(server.api);
  return async () => {
    const began = performance.now();
    const file = await site.upload('note.txt', Buffer.from(`${sentence}${Math.random()}`));
    await site.until(await site.create(file), isComplete);
    return performance.now() - began;
  };
}

/**
 * Milliseconds from upload to readable on a small and on a large site. Both run at once and take
 * turns, so that whatever else the machine does falls on both.
 */
export async function compareIngest(few: number, lots: number) {
  const servers = [await killableServer(), await killableServer()] as const;
  try {
    const small = await siteWith(servers[0], few);
    const large = await siteWith(servers[1], lots);
    const spent = { few: [] as number[], lots: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      spent.few.push(await small());
      spent.lots.push(await large());
    }
    return { few: median(spent.few), lots: median(spent.lots) };
  } finally {
    for (const server of servers) await server.remove();
  }
}
