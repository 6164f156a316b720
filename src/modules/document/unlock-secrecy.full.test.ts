import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { buildServer } from '#app/server/build-server.ts';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { passwordPdf } from '#modules/conversion/encrypted-pdf.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { newUploader } from './document.fixture.ts';
import { addEncryptedDocument } from './failed-document.fixture.ts';

const { ctx, pool, folder } = await testApp({ runJobs: true, conversions: 'real' });

const RIGHT_PASSWORD = `right-${crypto.randomUUID().slice(0, 12)}`;
const WRONG_PASSWORD = `wrong-${crypto.randomUUID().slice(0, 12)}`;
const contains = (text: string | Buffer) => text.includes(RIGHT_PASSWORD) || text.includes(WRONG_PASSWORD);

/** Every row of every table as text. */
async function dumpDatabase(): Promise<string> {
  const { rows: tables } = await pool.query(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query(`select t::text as line from ${name} t`);
      return rows.map(({ line }) => line).join('\n');
    }),
  );
  return dumps.join('\n');
}

/** Collects command lines and environments of all processes until `stop`. */
function watchProcesses() {
  const processTexts = new Set<string>();
  const read = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      // The process has ended or belongs to another user.
      return '';
    }
  };
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      for (const name of ['cmdline', 'environ']) processTexts.add(read(pid, name));
  }, 20);
  return {
    processTexts,
    stop: () => clearInterval(timer),
  };
}

/** The conversion deletes its work folder after the rendition is ready. */
const readUnlessDeleted = (file: string) =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

test('neither a right nor a wrong password of a document is stored, logged or visible in a process', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const app = await buildServer({ ...ctx, log }, pool, { log, pages: null });
  const owner = await newUploader(ctx);
  const id = await addEncryptedDocument(ctx, owner, { bytes: passwordPdf(RIGHT_PASSWORD, 'secret') });
  const { processTexts, stop } = watchProcesses();
  const unlock = async (password: string) => {
    const request = { method: 'POST', url: '/api/v1/document/unlock' } as const;
    const { headers } = owner;
    return (await app.inject({ ...request, headers, payload: { id, password } })).statusCode;
  };
  expect([await unlock(WRONG_PASSWORD), await unlock(RIGHT_PASSWORD)]).toEqual([400, 200]);
  stop();
  const { rows } = await pool.query('select rendition_id::int from documents where id = $1', [id]);
  expect(await waitForRendition(ctx, rows[0].rendition_id)).toMatchObject({ state: 'ready' });
  // Proves that the watch observes the decrypting process.
  expect([...processTexts].some((text) => text.includes('sandboxed/main.ts') && text.includes('decrypt'))).toBe(true);
  expect([...processTexts].some(contains)).toBe(false);
  expect(contains(await dumpDatabase())).toBe(false);
  expect(contains(lines.join(''))).toBe(false);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) expect(contains(await readUnlessDeleted(path.join(entry.parentPath, entry.name)))).toBe(false);
  await app.close();
});
