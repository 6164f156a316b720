import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';
import { isProcessAlive, PRESENCE_APPLICATION_NAME, readPidFile, serverProcesses } from './postmaster.ts';

const root = mkdtempSync(path.join(tmpdir(), 'douku-postgres-test-'));
chmodSync(root, 0o755);
const log = pino({ level: 'silent' });
const openServers = new Set<Postgres>();
const runningPrograms = new Set<ChildProcess>();

afterAll(async () => {
  for (const program of runningPrograms) program.kill('SIGKILL');
  for (const server of openServers) await server.stop();
  rmSync(root, { recursive: true });
});

async function start(dataDir: string): Promise<Postgres> {
  const server = await startPostgres({ dataDir, log });
  openServers.add(server);
  return server;
}

async function stop(server: Postgres) {
  await server.stop();
  openServers.delete(server);
}

type StartedServer = { url: string; attached: boolean };
async function startProgram(dataDir: string, env: NodeJS.ProcessEnv = {}) {
  const script = fileURLToPath(new URL('start-postgres.fixture.ts', import.meta.url));
  const program = spawn(process.execPath, [script, dataDir], { env, stdio: [0, 'pipe', 2] });
  runningPrograms.add(program);
  const [line] = await once(program.stdout as NodeJS.ReadableStream, 'data');
  const kill = async () => {
    program.kill('SIGKILL');
    await once(program, 'exit');
  };
  return { started: JSON.parse(String(line)) as StartedServer, kill };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const serverPid = async (dataDir: string) => (await readPidFile(path.join(dataDir, 'cluster')))?.pid ?? 0;

describe('the embedded PostgreSQL', () => {
  it('creates a cluster in a path with spaces, with fsync and checksums, in UTF-8 and UTC, without a network port', async () => {
    const dataDir = path.join(root, '豆库 的 data', 'postgres');
    const server = await start(dataDir);
    expect(server.attached).toBe(false);
    const [row] = await query(
      server.url,
      `select current_database() as database, upper('é') as upper,
        current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
        current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
        current_setting('listen_addresses') as network`,
    );
    expect(row).toEqual({
      database: 'douku',
      upper: 'É',
      fsync: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      zone: 'UTC',
      network: '',
    });
    for (const name of ['.', 'cluster', 'socket']) expect(statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o700);
    const pid = await serverPid(dataDir);
    await stop(server);
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('is reused after its program was killed, and recovers after the server was killed too', async () => {
    const dataDir = path.join(root, 'killed');
    const first = await startProgram(dataDir);
    await query(first.started.url, 'create table note as select 1 as id');
    await first.kill();
    const second = await startProgram(dataDir);
    expect(second.started.attached).toBe(true);
    await query(second.started.url, 'insert into note values (2)');
    await second.kill();
    for (const pid of await serverProcesses(path.join(dataDir, 'cluster')))
      if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL');
    const third = await start(dataDir);
    expect(third.attached).toBe(false);
    expect(await query(third.url, 'select id from note order by id')).toEqual([{ id: 1 }, { id: 2 }]);
    await stop(third);
  });

  it('is restarted when the server is killed while a program uses it', async () => {
    const dataDir = path.join(root, 'revived');
    const server = await start(dataDir);
    await query(server.url, 'create table note as select 1 as id');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await expect.poll(() => query(server.url, 'select id from note').catch(() => null)).toEqual([{ id: 1 }]);
    await stop(server);
    expect(await serverProcesses(path.join(dataDir, 'cluster'))).toEqual([]);
  });

  it('starts one server for two programs that start together, and stops with the last program', async () => {
    const dataDir = path.join(root, 'shared');
    const [firstProgram, secondProgram] = await Promise.all([startProgram(dataDir), startProgram(dataDir)]);
    expect([firstProgram.started.attached, secondProgram.started.attached].toSorted()).toEqual([false, true]);
    const thisProcess = await start(dataDir);
    await firstProgram.kill();
    await stop(thisProcess);
    expect(await query(secondProgram.started.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await secondProgram.kill();
    const last = await start(dataDir);
    // The server notices the end of a killed program a moment later.
    const programCount = `select count(*)::int as count from pg_stat_activity where application_name = '${PRESENCE_APPLICATION_NAME}'`;
    await expect.poll(() => query(last.url, programCount)).toEqual([{ count: 1 }]);
    await stop(last);
    expect(await serverProcesses(path.join(dataDir, 'cluster'))).toEqual([]);
  });

  it('starts after an interrupted initialization, and in a path too long for a socket', async () => {
    const dataDir = path.join(root, 'long'.repeat(40));
    mkdirSync(path.join(dataDir, 'cluster.unfinished/base'), { recursive: true });
    writeFileSync(path.join(dataDir, 'cluster.unfinished/PG_VERSION'), '18\n');
    const server = await start(dataDir);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(path.join(dataDir, 'cluster.unfinished'))).toBe(false);
    const folder = (await readPidFile(path.join(dataDir, 'cluster')))?.socketFolder ?? '';
    expect(folder).toMatch(/^\/tmp\/douku-[0-9a-f]{12}$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await stop(server);
    rmSync(folder, { recursive: true });
  });

  it('starts when the recorded pid belongs to another program', async () => {
    const dataDir = path.join(root, 'recycled');
    await stop(await start(dataDir));
    const otherProgram = spawn('sleep', ['60']);
    runningPrograms.add(otherProgram);
    const stalePidFile = `${otherProgram.pid}\n${dataDir}/cluster\n1\n5432\n${dataDir}/socket\n\n\nready\n`;
    writeFileSync(path.join(dataDir, 'cluster/postmaster.pid'), stalePidFile);
    const server = await start(dataDir);
    expect(server.attached).toBe(false);
    await stop(server);
  });

  it('does not run as root where user namespaces are not available', async () => {
    const dataDir = path.join(root, 'fallback', 'postgres');
    const bin = path.join(root, 'bin');
    mkdirSync(bin);
    symlinkSync('/usr/bin/test', path.join(bin, 'test'));
    const program = await startProgram(dataDir, { PATH: bin });
    expect(await query(program.started.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const status = readFileSync(`/proc/${await serverPid(dataDir)}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t[1-9]/m);
    await program.kill();
    const server = await start(dataDir);
    expect(server.attached).toBe(true);
    await stop(server);
  });

  it('rejects a cluster of another PostgreSQL version with one line that says what to do', async () => {
    const dataDir = path.join(root, 'foreign');
    mkdirSync(path.join(dataDir, 'cluster'), { recursive: true });
    writeFileSync(path.join(dataDir, 'cluster/PG_VERSION'), '15\n');
    await expect(start(dataDir)).rejects.toThrow(
      `${dataDir}/cluster 由 PostgreSQL 15 建立，内置的版本是 18，请先用旧版本备份再恢复`,
    );
  });
});
