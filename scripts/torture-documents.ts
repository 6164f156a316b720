/**
 * Kills the whole process tree (web, worker, conversions, PostgreSQL) with SIGKILL at random moments
 * while documents are uploaded and converted. Every acknowledged upload must become readable, with the
 * pages an undisturbed conversion gives. Prints figures; exits 1 when that does not hold.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '#modules/content/documents.fixture.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const ROUNDS = Number(process.argv[2] ?? 100);
const UPLOADERS = 3;
const server = await killableServer();
const acknowledged: number[] = [];

/** Small documents of several kinds, each different from all others. */
function nextDocument(round: number): { name: string; bytes: Buffer } {
  const mark = randomBytes(6).toString('hex');
  const kinds = [
    () => ({
      name: `${mark}.txt`,
      bytes: Buffer.from(`第一章 ${mark}\n${'一行文字。\n'.repeat(400)}`),
    }),
    () => ({ name: `${mark}.csv`, bytes: Buffer.from(`编号,名称\n1,${mark}\n2,表格\n`) }),
    () => ({
      name: `${mark}.rtf`,
      bytes: Buffer.from(`{\\rtf1 ${mark} ${'A line of text. \\par '.repeat(60)}}`),
    }),
    () => ({
      name: `${mark}.pdf`,
      bytes: makePdf({ pages: 12, text: (page) => `${mark} page ${page}` }),
    }),
  ];
  return (
    (kinds[(round + acknowledged.length) % kinds.length] ?? kinds[0])?.() ?? {
      name: '',
      bytes: Buffer.alloc(0),
    }
  );
}

async function uploadUntil(stopped: () => boolean, round: number) {
  const site = await siteClient(server.api);
  while (!stopped()) {
    const { name, bytes } = nextDocument(round);
    const id = await site.create(await site.upload(name, bytes)).catch((error: Error) => {
      if (stopped() || /fetch failed|other side closed/.test(String(error.cause ?? error)))
        return 0;
      throw error;
    });
    if (id > 0) acknowledged.push(id);
  }
}

type Pages = { page: { url: string; html: string; rows: string[][] }[] };
/** One hash over everything a reader would see. */
async function fingerprint(
  site: Awaited<ReturnType<typeof siteClient>>,
  id: number,
): Promise<string> {
  const hash = createHash('sha256');
  const { page } = await site.ask<Pages>(`/document/pages?id=${id}&size=50`);
  for (const { url, html, rows } of page) {
    hash.update(html).update(JSON.stringify(rows));
    if (url) hash.update(Buffer.from(await (await fetch(new URL(url, server.api))).arrayBuffer()));
  }
  return hash.digest('hex');
}

/** A conversion says that it is done before its folder is gone. */
async function temporaryFolders(): Promise<string[]> {
  for (let tries = 20; ; tries--) {
    const names = await readdir(path.join(server.folder, 'tmp')).catch(() => []);
    if (names.length === 0 || tries === 0) return names;
    await sleep(500);
  }
}

let problems: string[] = [];
let killed = 0;
try {
  for (let round = 1; round <= ROUNDS; round++) {
    await server.start();
    if (round === 1) {
      await server.dropCaptcha();
      await server.set('score.upload_document', '0');
    }
    let stop = false;
    const uploading = Promise.allSettled(
      Array.from({ length: UPLOADERS }, () => uploadUntil(() => stop, round)),
    );
    await sleep(200 + Math.random() * 3_000);
    stop = true;
    killed += await server.kill();
    await uploading;
    if (round % 10 === 0)
      console.log(`round ${round}: ${acknowledged.length} acknowledged documents`);
  }
  await server.start();
  const site = await siteClient(server.api);
  const began = Date.now();
  for (const id of acknowledged) {
    await site.until(id, isComplete, 600_000).catch((error: Error) => problems.push(error.message));
  }
  const recovery = Date.now() - began;
  const failed: string[] = [];
  for (const id of acknowledged) {
    const progress = await site.progress(id);
    if (progress.status !== documentStatus.converted)
      failed.push(`document ${id}: ${progress.reason}`);
  }
  problems = [...problems, ...failed];
  const sample = acknowledged.filter(
    (_, index) => index % Math.ceil(acknowledged.length / 40) === 0,
  );
  const before = new Map<number, string>();
  for (const id of sample) before.set(id, await fingerprint(site, id));
  await site.ask('/document/reconvert', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: sample }),
  });
  for (const id of sample) {
    await site.until(id, isComplete, 600_000);
    if ((await fingerprint(site, id)) !== before.get(id))
      problems.push(`document ${id} was converted differently`);
  }
  const left = await temporaryFolders();
  problems.push(...left.map((name) => `temporary folder ${name} is left`));
  console.log(
    `${ROUNDS} kills (${killed} processes), ${acknowledged.length} acknowledged documents, all finished ${Math.round(recovery / 1000)} s after the last start; ` +
      `${sample.length} compared with an undisturbed conversion; ${left.length} temporary folders left; ${problems.length} problems`,
  );
} finally {
  await server.remove();
}
for (const problem of problems.slice(0, 20)) console.error(problem);
process.exitCode = problems.length > 0 || acknowledged.length === 0 ? 1 : 0;
