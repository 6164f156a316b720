import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import * as z from 'zod/mini';
import { CommandError } from '#app/cli/with-site.ts';
import type { Context } from '#platform/server/context.ts';
import {
  migrate,
  migrateToVersion01,
  migrationNames,
  migrationNamesOfVersion01,
  withSetupLock,
} from '#platform/server/db/migrate.ts';
import {
  listTablesByDependency,
  restoreIdentityCounters,
  setUserTriggers,
} from '#platform/server/db/table-catalogue.ts';
import { MANIFEST_NAME, type Manifest, manifestSchema, readArchive, sha256Of } from './backup-archive.ts';

type Site = { ctx: Context; pool: pg.Pool };

/** A Chinese reason for an archive that cannot be read, for the operator. */
function archiveErrorReason(error: unknown): string {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return '给出的是文件夹，不是文件';
  if (code === 'EACCES' || code === 'EPERM') return '没有读取它的权限';
  if (syscall) return `读取时出错（${code}）`;
  if (code === 'Z_BUF_ERROR' || /end of (file|data)/i.test(message)) return '内容到一半就结束了';
  if (code === 'Z_DATA_ERROR') {
    if (message.includes('header')) return '不是备份文件，或开头的内容已被改动';
    return '压缩内容的校验不符';
  }
  if (error instanceof SyntaxError || error instanceof z.core.$ZodError) return '清单无法读取';
  return '内容的格式不对';
}

async function verifyArchiveChecksums(path: string): Promise<Manifest> {
  const checksums = new Map<string, string>();
  let manifest: Manifest | null = null;
  const damagedError = (reason: string) => new CommandError(`备份文件已损坏或不完整：${reason}`);
  try {
    await readArchive(path, async (name, stream) => {
      if (name !== MANIFEST_NAME) checksums.set(name, await sha256Of(stream));
      else {
        const chunks = [];
        for await (const chunk of stream) chunks.push(chunk);
        manifest = z.parse(manifestSchema, JSON.parse(Buffer.concat(chunks).toString('utf8')));
      }
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CommandError(`没有找到备份文件 ${path}`);
    throw damagedError(archiveErrorReason(error));
  }
  const completeManifest = manifest as Manifest | null;
  if (!completeManifest) throw damagedError('缺少清单');
  const expectedChecksums = [
    ...completeManifest.tables.map(({ name, sha256 }) => [`tables/${name}.copy`, sha256] as const),
    ...completeManifest.files.map(({ key, sha256 }) => [`storage/${key}`, sha256] as const),
  ];
  for (const [name, sha256] of expectedChecksums)
    if (checksums.get(name) !== sha256) throw damagedError(`${name} 与清单不符`);
  if (checksums.size !== expectedChecksums.length) throw damagedError('有清单之外的内容');
  return completeManifest;
}

export async function restoreBackup({ ctx, pool }: Site, path: string): Promise<{ rows: number; files: number }> {
  const manifest = await verifyArchiveChecksums(path);
  const isSubsetOf = (names: string[]) => manifest.migrations.every((name) => names.includes(name));
  const isVersion01 = isSubsetOf(await migrationNamesOfVersion01());
  if (!isVersion01 && !isSubsetOf(await migrationNames()))
    throw new CommandError(`备份来自更新的版本（${manifest.version}），请先升级程序再恢复`);
  await withSetupLock(pool, async () => {
    const { rows } = await pool.query(`select to_regclass('schema_migrations') as existing_table`);
    if (rows[0]?.existing_table)
      throw new CommandError('目标数据库不是空的；请换一个空的 DATA_DIR 或 DATABASE_URL 再恢复');
    await restoreFiles(ctx, path, manifest);
    // One transaction: an interrupted restore leaves an empty database and can be repeated.
    const client = await pool.connect();
    try {
      await client.query('set statement_timeout = 0');
      await client.query('begin');
      await (isVersion01 ? migrateToVersion01 : migrate)(client, manifest.migrations);
      await loadTables(client, path, manifest);
      await restoreIdentityCounters(client, manifest.counters);
      await client.query('commit');
    } finally {
      client.release(true);
    }
    await migrate(pool);
  });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return { rows, files: manifest.files.length };
}

function restoreFiles(ctx: Context, path: string, manifest: Manifest): Promise<void> {
  const types = new Map(manifest.files.map(({ key, type }) => [`storage/${key}`, type]));
  return readArchive(path, async (name, stream) => {
    const contentType = types.get(name);
    if (contentType !== undefined) await ctx.storage.put(name.slice('storage/'.length), stream, { contentType });
  });
}

async function loadTables(client: pg.PoolClient, path: string, manifest: Manifest): Promise<void> {
  // Deletes rows that migrations inserted, because the backup contains them too.
  const tables = await listTablesByDependency(client);
  await setUserTriggers(client, tables, 'disable');
  for (const { name } of tables.toReversed()) await client.query(`delete from "${name}"`);
  await readArchive(path, async (name, stream) => {
    const table = manifest.tables.find((each) => name === `tables/${each.name}.copy`);
    if (!table) return;
    const columns = table.columns.map((column) => `"${column}"`).join(', ');
    const copy = client.query(copyFrom(`copy "${table.name}" (${columns}) from stdin`));
    await pipeline(stream as Readable, copy);
    if (copy.rowCount !== table.rows)
      throw new CommandError(`${table.name} 应有 ${table.rows} 行，只写入 ${copy.rowCount} 行`);
  });
  await setUserTriggers(client, tables, 'enable');
}
