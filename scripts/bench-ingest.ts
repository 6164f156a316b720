import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pipelineVersion } from '#modules/conversion/rendition.ts';
import { sentence } from './bench-documents.ts';
import { median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const ROUNDS = 31;

/** Prepares a site with the given number of documents and returns a function that measures one upload in milliseconds. */
async function prepareSite(server: Awaited<ReturnType<typeof killableServer>>, documentCount: number) {
  await server.start();
  await server.disableCaptcha();
  const database = new pg.Client(await server.databaseUrl());
  await database.connect();
  await database.query(
    `with new_renditions as (
       insert into renditions (hash, format, size, state, view, pages, ready_pages, version, user_id)
       select md5(n::text) || md5((n + 1)::text), 'txt', 100, 'ready', 'flow', 1, 1, $2, 1
       from generate_series(1, $1::int) n returning id)
     insert into documents (user_id, rendition_id, title, ext, format, size, conversion_state)
     select 1, id, '填充 ' || id, '.txt', 'txt', 100, 'converted' from new_renditions`,
    // The current version, so that no document is converted again.
    [documentCount, pipelineVersion('txt')],
  );
  await database.query(
    `insert into events (subject, subject_id, type) select 'document', id, 'created' from documents order by id`,
  );
  await database.query('analyze');
  // Waits until the background jobs have indexed the documents.
  for (let isBusy = true; isBusy; await sleep(1_000)) {
    const { rows } = await database.query<{ busy: boolean }>(
      `select exists (table events) or exists (table search_index_queue) or exists (table related_terms_queue) as busy`,
    );
    isBusy = rows[0]?.busy ?? false;
  }
  await database.end();
  const site = await siteClient(server.api);
  return async () => {
    const startedAt = performance.now();
    const file = await site.upload('note.txt', Buffer.from(`${sentence}${Math.random()}`));
    await site.waitUntil(await site.create(file), isComplete);
    return performance.now() - startedAt;
  };
}

/**
 * Milliseconds from upload to readable on a small and on a large site. The measurements alternate, so that other load on
 * the machine affects both.
 */
export async function compareIngest(smallCount: number, largeCount: number) {
  const servers = [await killableServer(), await killableServer()] as const;
  try {
    const measureSmall = await prepareSite(servers[0], smallCount);
    const measureLarge = await prepareSite(servers[1], largeCount);
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.small.push(await measureSmall());
      times.large.push(await measureLarge());
    }
    return { smallMs: median(times.small), largeMs: median(times.large) };
  } finally {
    for (const server of servers) await server.remove();
  }
}
