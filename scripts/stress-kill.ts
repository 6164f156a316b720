/**
 * Kills the whole process tree (server and embedded PostgreSQL) with SIGKILL while settings and
 * categories are written, again and again. Every acknowledged write must be there after a plain
 * restart. Prints figures; exits 1 when something was lost or a start needed help.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { siteClient } from './site-client.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const WRITERS = 6;
const server = await killableServer();
const { api } = server;

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
  const { ask } = await siteClient(api);
  type List = { category: { title: string }[] };
  const list = await ask<List>('/category/list?field=title');
  const present = new Set(list.category.map(({ title }) => title));
  const lost = categories.filter((title) => !present.has(title));
  const settings = await ask<{ system: { copyright_start_year: string } }>('/settings');
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
    const ms = await server.start();
    starts.push(ms);
    if (round === 1) await server.dropCaptcha();
    lost = [...lost, ...(await lostWrites())];
    const { bearer } = await siteClient(api);
    const headers = { ...bearer, 'content-type': 'application/json' };
    let stop = false;
    const writing = write(headers, round, () => stop);
    await sleep(300 + Math.random() * 900);
    killed += await server.kill();
    stop = true;
    await writing;
    console.log(`round ${round}: start ${Math.round(ms)} ms, ${categories.length} acknowledged`);
  }
  starts.push(await server.start());
  lost = [...lost, ...(await lostWrites())];
} finally {
  await server.remove();
}
const warm = starts.slice(1);
console.log(
  `${ROUNDS} kills (${killed} processes), ${categories.length} acknowledged categories, ${lost.length} writes lost; ` +
    `start after a kill: median ${Math.round(median(warm))} ms, worst ${Math.round(Math.max(0, ...warm))} ms`,
);
if (lost.length > 0) console.error(`lost: ${lost.slice(0, 20).join(', ')}`);
process.exitCode = lost.length > 0 || categories.length === 0 ? 1 : 0;
