/**
 * Kills the whole process tree (server and embedded PostgreSQL) with SIGKILL while settings and
 * categories are written, again and again. Every acknowledged write must be there after a plain
 * restart. Prints figures; exits 1 when something was lost or a start needed help.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROUNDS = Number(process.argv[2] ?? 20);
const WRITERS = 6;
const PASSWORD = 'torture-password';
const READY_LIMIT_MS = 60_000;
const root = join(import.meta.dirname, '..');

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const folder = await mkdtemp(join(tmpdir(), 'douku-kill-'));
const port = await freePort();
const api = `http://127.0.0.1:${port}/api/v1`;

async function start(): Promise<{ child: ChildProcess; ms: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'src/app/server/main.ts')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (performance.now() - began < READY_LIMIT_MS) {
    if (child.exitCode !== null) throw new Error('the server did not start by itself');
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return { child, ms: performance.now() - began };
    await sleep(50);
  }
  throw new Error('the server was not ready in time');
}

/** Every process that names this data folder, and all that descend from those. */
async function familyOf(): Promise<number[]> {
  const all: { pid: number; parent: number; named: boolean }[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    const about = `${await read('cmdline')}\n${await read('environ')}`;
    const parent = Number(/\) \S (\d+)/.exec(await read('stat'))?.[1] ?? 0);
    all.push({ pid: Number(name), parent, named: about.includes(folder) });
  }
  const family = new Set(all.filter(({ named }) => named).map(({ pid }) => pid));
  for (let size = -1; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

async function killFamily(): Promise<number> {
  let killed = 0;
  for (let family = await familyOf(); family.length > 0; family = await familyOf()) {
    for (const pid of family) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await sleep(20);
  }
  return killed;
}

async function login(): Promise<Record<string, string>> {
  const answer = await fetch(`${api}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

const categories: string[] = [];
let lastYear = '';
/** Values sent but not yet answered: after a kill either the old or one of these may stand. */
let pendingYears = new Set<string>();

async function write(headers: Record<string, string>, round: number, stopped: () => boolean) {
  const addCategories = async (writer: number) => {
    for (let count = 0; !stopped(); count += 1) {
      const title = `r${round}w${writer}c${count}`;
      const answer = await fetch(`${api}/category`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title }),
      });
      if (answer.status === 200) categories.push(title);
    }
  };
  const changeSetting = async () => {
    for (let count = 0; !stopped(); count += 1) {
      const value = String(1000 + ((round * 131 + count) % 8000));
      pendingYears.add(value);
      const answer = await fetch(`${api}/config`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({
          config: [{ category: 'system', name: 'copyright_start_year', value }],
        }),
      });
      if (answer.status === 200) {
        lastYear = value;
        pendingYears = new Set();
      }
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => addCategories(writer));
  await Promise.allSettled([...writers, changeSetting()]);
}

async function lostWrites(): Promise<string[]> {
  const headers = await login();
  const list = (await (await fetch(`${api}/category/list?field=title`, { headers })).json()) as {
    category: { title: string }[];
  };
  const present = new Set(list.category.map(({ title }) => title));
  const lost = categories.filter((title) => !present.has(title));
  const settings = (await (await fetch(`${api}/settings`)).json()) as {
    system: { copyright_start_year: string };
  };
  const year = settings.system.copyright_start_year;
  if (lastYear && year !== lastYear && !pendingYears.has(year)) lost.push(`setting ${lastYear}`);
  lastYear = year;
  pendingYears = new Set();
  return lost;
}

let lost: string[] = [];
const starts: number[] = [];
let killed = 0;
try {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { ms } = await start();
    starts.push(ms);
    lost = [...lost, ...(await lostWrites())];
    const headers = await login();
    let stop = false;
    const writing = write(headers, round, () => stop);
    await sleep(300 + Math.random() * 900);
    killed += await killFamily();
    stop = true;
    await writing;
    console.log(`round ${round}: start ${Math.round(ms)} ms, ${categories.length} acknowledged`);
  }
  const { ms } = await start();
  starts.push(ms);
  lost = [...lost, ...(await lostWrites())];
} finally {
  await killFamily();
  await rm(folder, { recursive: true, force: true });
}
const warm = starts.slice(1).sort((one, other) => one - other);
console.log(
  `${ROUNDS} kills (${killed} processes), ${categories.length} acknowledged categories, ${lost.length} writes lost; ` +
    `start after a kill: median ${Math.round(warm[warm.length >> 1] ?? 0)} ms, worst ${Math.round(warm.at(-1) ?? 0)} ms`,
);
if (lost.length > 0) console.error(`lost: ${lost.slice(0, 20).join(', ')}`);
process.exitCode = lost.length > 0 ? 1 : 0;
