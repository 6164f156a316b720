/**
 * Kills the web process, the worker, or the whole process tree with SIGKILL at random moments while documents are
 * uploaded, in one request and in parts, and converted. Every acknowledged upload must become readable with the pages of
 * an undisturbed conversion, and no acknowledged part may be lost. Prints figures; exits 1 on a violation.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentStatus } from '#modules/document/document.contract.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';
import { stressUploads } from './stress-uploads.ts';

const ROUNDS = Number(process.argv[2] ?? 100);
const killTargets = ['web', 'worker', 'all'] as const;
const uploadMethods = ['one', 'one', 'parts'] as const;
const server = await killableServer();
const uploads = stressUploads(server.origin);
const { acknowledged } = uploads;

type Queue = { running: unknown[]; waiting: unknown[] };
type Pages = { page: { url: string; html: string; rows: string[][] }[] };
/** Hash of all content that a reader sees. */
async function fingerprint(site: Awaited<ReturnType<typeof siteClient>>, id: number): Promise<string> {
  const hash = createHash('sha256');
  const { page } = await site.request<Pages>(`/document/pages?id=${id}&size=50`);
  for (const { url, html, rows } of page) {
    hash.update(html).update(JSON.stringify(rows));
    if (url) hash.update(Buffer.from(await (await fetch(new URL(url, server.api))).arrayBuffer()));
  }
  return hash.digest('hex');
}

/** Temporary folders that remain when the conversion queue is empty; unacknowledged uploads may still be converted. */
async function findTemporaryFolders(site: Awaited<ReturnType<typeof siteClient>>): Promise<Map<string, string[]>> {
  const root = path.join(server.folder, 'tmp');
  for (let tries = 240; ; tries--) {
    const { running, waiting } = await site.request<Queue>('/document/queue');
    const names = await readdir(root).catch(() => []);
    const isBusy = running.length + waiting.length > 0;
    if (tries === 0 || (!isBusy && names.length === 0))
      return new Map(
        await Promise.all(
          names.map(
            async (name): Promise<[string, string[]]> => [
              name,
              await readdir(path.join(root, name), { recursive: true }).catch(() => []),
            ],
          ),
        ),
      );
    // The state is written before the folder is deleted.
    if (!isBusy && tries > 20) tries = 20;
    await sleep(500);
  }
}

let problems: string[] = [];
const kills = { web: 0, worker: 0, all: 0 };
try {
  await server.start('web');
  let worker = await server.startWorker();
  await server.disableCaptcha();
  await server.setSetting('score.upload_document', '0');
  for (let round = 1; round <= ROUNDS; round++) {
    const site = await siteClient(server.api);
    let isStopped = false;
    const uploadPromise = Promise.allSettled(
      uploadMethods.map((method) => uploads.uploadUntil(() => isStopped, site, method)),
    );
    await sleep(200 + Math.random() * 3_000);
    const target = killTargets[Math.floor(Math.random() * killTargets.length)] ?? 'all';
    kills[target] += 1;
    if (target === 'all') await server.kill();
    else await server.killProcess(target === 'web' ? (server.pids()[0] ?? 0) : worker);
    isStopped = true;
    for (const result of await uploadPromise) if (result.status === 'rejected') problems.push(String(result.reason));
    if (target !== 'worker') await server.start('web');
    if (target !== 'web') worker = await server.startWorker();
    if (round % 10 === 0) console.log(`round ${round}: ${acknowledged.length} acknowledged documents`);
  }
  const site = await siteClient(server.api);
  while (uploads.unfinished() > 0) {
    const before = uploads.unfinished();
    await uploads.uploadUntil(() => uploads.unfinished() < before, site, 'parts');
  }
  problems.push(...uploads.problems);
  const startedAt = Date.now();
  for (const id of acknowledged) {
    await site.waitUntil(id, isComplete, 600_000).catch((error: Error) => problems.push(error.message));
  }
  const recovery = Date.now() - startedAt;
  const failedNames: string[] = [];
  for (const id of acknowledged) {
    const progress = await site.progress(id);
    if (progress.status !== documentStatus.converted) failedNames.push(`document ${id}: ${progress.reason}`);
  }
  problems = [...problems, ...failedNames];
  const sample = acknowledged.filter((_, index) => index % Math.ceil(acknowledged.length / 40) === 0);
  const before = new Map<number, string>();
  for (const id of sample) before.set(id, await fingerprint(site, id));
  await site.request('/document/reconvert', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: sample }),
  });
  for (const id of sample) {
    await site.waitUntil(id, isComplete, 600_000);
    if ((await fingerprint(site, id)) !== before.get(id)) problems.push(`document ${id} was converted differently`);
  }
  const remainingFolders = await findTemporaryFolders(site);
  for (const [name, files] of remainingFolders)
    problems.push(`temporary folder ${name} is left with ${files.slice(0, 5).join(', ')}`);
  console.log(
    `${ROUNDS} kills (${JSON.stringify(kills)}), ${uploads.resumed()} uploads resumed, ${acknowledged.length} acknowledged documents, all finished ${Math.round(recovery / 1000)} s after the last start; ` +
      `${sample.length} compared with an undisturbed conversion; ${remainingFolders.size} temporary folders left; ${problems.length} problems`,
  );
} finally {
  await server.remove();
}
for (const problem of problems.slice(0, 20)) console.error(problem);
process.exitCode = problems.length > 0 || acknowledged.length === 0 ? 1 : 0;
