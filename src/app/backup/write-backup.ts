import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Pack, pack } from 'tar-stream';
import type { Context } from '#platform/server/context.ts';
import { listTablesByDependency, readIdentityCounters } from '#platform/server/db/table-catalogue.ts';
import { blockFileErasure } from '#platform/server/storage/erase-lock.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { VERSION } from '#platform/server/version.ts';
import { ARCHIVE_FORMAT, MANIFEST_NAME, type Manifest } from './backup-archive.ts';

type Site = { ctx: Context; pool: pg.Pool };

/**
 * Writes a snapshot of the database, then the files. Files are immutable and none is erased during the backup, so the
 * archive contains all files of the snapshot and possibly some newer ones.
 */
export async function writeBackup(
  { ctx, pool }: Site,
  target: string,
): Promise<{ rows: number; files: number; size: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'douku-backup-'));
  const partial = `${target}.part`;
  const archive = pack();
  const writingFile = pipeline(archive, createGzip({ level: 6 }), createWriteStream(partial, { mode: 0o600 }));
  const session = await pool.connect();
  try {
    await session.query('set statement_timeout = 0');
    await session.query('set idle_in_transaction_session_timeout = 0');
    await blockFileErasure(session);
    const fillingArchive = fillArchive(archive, ctx, session, folder);
    const [manifest] = await Promise.all([fillingArchive, writingFile]);
    // If the session was lost, its lock was too, and files may have been erased.
    await session.query('select 1');
    await syncFile(partial);
    await rename(partial, target);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { rows, files: manifest.files.length, size: (await stat(target)).size };
  } catch (error) {
    archive.destroy();
    await writingFile.catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  } finally {
    session.release(true);
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillArchive(archive: Pack, ctx: Context, session: pg.PoolClient, folder: string): Promise<Manifest> {
  const { tables, migrations, counters } = await dumpTables(session, folder);
  for (const { name, file } of tables) {
    const { size } = await stat(file);
    await addEntry(archive, `tables/${name}.copy`, size, createReadStream(file));
  }
  const files: Manifest['files'] = [];
  for await (const { key, size } of ctx.storage.list('')) {
    const object = await ctx.storage.get(key).catch((error: unknown) => {
      // Deleted since it was listed, so no row of the snapshot refers to it.
      if (error instanceof StorageNotFound) return null;
      throw error;
    });
    if (!object) continue;
    const { stream, contentType: type } = object;
    const sha256 = await addEntry(archive, `storage/${key}`, size, stream);
    files.push({ key, type, size, sha256 });
  }
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    version: VERSION,
    created_at: ctx.now().toISOString(),
    migrations,
    counters,
    tables: tables.map(({ name, columns, rows, sha256 }) => ({ name, columns, rows, sha256 })),
    files,
  };
  archive.entry({ name: MANIFEST_NAME }, JSON.stringify(manifest));
  archive.finalize();
  return manifest;
}

async function addEntry(archive: Pack, name: string, size: number, body: Readable): Promise<string> {
  const hash = createHash('sha256');
  const hashingStream = new PassThrough().on('data', (chunk) => hash.update(chunk));
  await pipeline(body, hashingStream, archive.entry({ name, size }));
  return hash.digest('hex');
}

async function dumpTables(session: pg.PoolClient, folder: string) {
  await session.query('begin isolation level repeatable read read only');
  const tables = [];
  for (const { name, columns } of await listTablesByDependency(session)) {
    const file = join(folder, `${name}.copy`);
    const hash = createHash('sha256');
    const list = columns.map((column) => `"${column}"`).join(', ');
    const copy = session.query(copyTo(`copy (select ${list} from "${name}") to stdout`));
    const hashingStream = new PassThrough().on('data', (chunk) => hash.update(chunk));
    await pipeline(copy, hashingStream, createWriteStream(file));
    tables.push({ name, columns, file, rows: copy.rowCount, sha256: hash.digest('hex') });
  }
  const { rows } = await session.query<{ name: string }>('select name from schema_migrations order by name');
  const counters = await readIdentityCounters(session);
  await session.query('commit');
  return { tables, counters, migrations: rows.map(({ name }) => name) };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
