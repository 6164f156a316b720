/**
 * Repeatedly kills the whole process tree (server and embedded PostgreSQL) with SIGKILL while settings and categories are
 * written. Every acknowledged write must exist after a restart. Prints figures; exits 1 if a write was lost or a start
 * failed.
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
/** Values without a response yet: after a kill the setting is the old value or one of these. */
let pendingYears = new Set<string>();

async function writeUntil(isStopped: () => boolean, headers: Record<string, string>, round: number) {
  const addCategories = async (writer: number) => {
    for (let count = 0; !isStopped(); count += 1) {
      const title = `r${round}w${writer}c${count}`;
      const response = await fetch(`${api}/category`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title }),
      });
      if (response.status === 200) categories.push(title);
    }
  };
  const changeSetting = async () => {
    for (let count = 0; !isStopped(); count += 1) {
      const value = String(1000 + ((round * 131 + count) % 8000));
      pendingYears.add(value);
      const response = await fetch(`${api}/config`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({
          config: [{ category: 'system', name: 'copyright_start_year', value }],
        }),
      });
      if (response.status === 200) {
        lastYear = value;
        pendingYears = new Set();
      }
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => addCategories(writer));
  await Promise.allSettled([...writers, changeSetting()]);
}

async function findLostWrites(): Promise<string[]> {
  const { request } = await siteClient(api);
  type List = { category: { title: string }[] };
  const list = await request<List>('/category/list?field=title');
  const existingTitles = new Set(list.category.map(({ title }) => title));
  const lostNames = categories.filter((title) => !existingTitles.has(title));
  const settings = await request<{ system: { copyright_start_year: string } }>('/settings');
  const year = settings.system.copyright_start_year;
  if (lastYear && year !== lastYear && !pendingYears.has(year)) lostNames.push(`setting ${lastYear}`);
  lastYear = year;
  pendingYears = new Set();
  return lostNames;
}

let lostWrites: string[] = [];
const startTimes: number[] = [];
let killedProcesses = 0;
try {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ms = await server.start();
    startTimes.push(ms);
    if (round === 1) await server.disableCaptcha();
    lostWrites = [...lostWrites, ...(await findLostWrites())];
    const { bearer } = await siteClient(api);
    const headers = { ...bearer, 'content-type': 'application/json' };
    let isKilled = false;
    const writes = writeUntil(() => isKilled, headers, round);
    await sleep(300 + Math.random() * 900);
    killedProcesses += await server.kill();
    isKilled = true;
    await writes;
    console.log(`round ${round}: start ${Math.round(ms)} ms, ${categories.length} acknowledged`);
  }
  startTimes.push(await server.start());
  lostWrites = [...lostWrites, ...(await findLostWrites())];
} finally {
  await server.remove();
}
const restartTimes = startTimes.slice(1);
console.log(
  `${ROUNDS} kills (${killedProcesses} processes), ${categories.length} acknowledged categories, ${lostWrites.length} writes lost; ` +
    `start after a kill: median ${Math.round(median(restartTimes))} ms, worst ${Math.round(Math.max(0, ...restartTimes))} ms`,
);
if (lostWrites.length > 0) console.error(`lost: ${lostWrites.slice(0, 20).join(', ')}`);
process.exitCode = lostWrites.length > 0 || categories.length === 0 ? 1 : 0;
