/** Uploads that continue after the site is killed, and the acknowledged documents and parts that must not be lost. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import type { siteClient } from './site-client.ts';

type Site = Awaited<ReturnType<typeof siteClient>>;
type File = { name: string; bytes: Buffer };
type ResumableUpload = File & {
  url: string;
  /** Number of acknowledged bytes. */
  offset: number;
};

const PART_COUNT = 4;
const fileGenerators = [
  (mark: string) => ({
    name: `${mark}.txt`,
    bytes: Buffer.from(`第一章 ${mark}\n${'一行文字。\n'.repeat(400)}`),
  }),
  (mark: string) => ({
    name: `${mark}.csv`,
    bytes: Buffer.from(`编号,名称\n1,${mark}\n2,表格\n`),
  }),
  (mark: string) => ({
    name: `${mark}.rtf`,
    bytes: Buffer.from(`{\\rtf1 ${mark} ${'A line of text. \\par '.repeat(60)}}`),
  }),
  (mark: string) => ({
    name: `${mark}.pdf`,
    bytes: makePdf({ pages: 12, text: (page) => `${mark} page ${page}` }),
  }),
];

/** A small unique document of a random format. */
function randomFile(): File {
  const generate = fileGenerators[Math.floor(Math.random() * fileGenerators.length)] ?? fileGenerators[0];
  if (!generate) throw new Error('nothing to upload');
  return generate(randomBytes(6).toString('hex'));
}

/** Whether the request failed because the site was killed. */
const isConnectionError = (error: unknown) =>
  /fetch failed|other side closed|terminated|ECONNREFUSED|ECONNRESET/.test(
    String((error as Error).cause ?? error) + String(error),
  );

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function stressUploads(origin: string) {
  const acknowledgedIds: number[] = [];
  const unfinishedUploads: ResumableUpload[] = [];
  const problems: string[] = [];
  let resumedCount = 0;
  const path = `${origin}/api/v1/upload/resumable`;

  async function uploadWhole(site: Site) {
    const { name, bytes } = randomFile();
    acknowledgedIds.push(await site.create(await site.upload(name, bytes)));
  }

  async function startUpload(site: Site): Promise<ResumableUpload> {
    const file = randomFile();
    const response = await fetch(path, {
      method: 'POST',
      headers: {
        ...site.bearer,
        'tus-resumable': '1.0.0',
        'upload-length': String(file.bytes.length),
        'upload-metadata': `filename ${Buffer.from(file.name).toString('base64')}`,
      },
    });
    if (response.status !== 201) throw new Error(`upload not started: ${response.status}`);
    const url = new URL(response.headers.get('location') ?? '', origin).href;
    return { ...file, url, offset: 0 };
  }

  /** Continues at the offset that the site reports, which must not be below the acknowledged offset. */
  async function uploadInParts(site: Site, isStopped: () => boolean) {
    const unfinishedUpload = unfinishedUploads.shift();
    const upload = unfinishedUpload ?? (await startUpload(site));
    if (!unfinishedUpload) unfinishedUploads.push(upload);
    else {
      resumedCount += 1;
      unfinishedUploads.push(unfinishedUpload);
      const response = await fetch(upload.url, {
        method: 'HEAD',
        headers: { ...site.bearer, 'tus-resumable': '1.0.0' },
      });
      const storedBytes = Number(response.headers.get('upload-offset') ?? -1);
      if (response.status !== 200 || storedBytes < upload.offset)
        problems.push(`${upload.name}: ${upload.offset} bytes acknowledged, ${storedBytes} stored`);
      upload.offset = Math.max(0, storedBytes);
      const id = Number(response.headers.get('upload-attachment-id') ?? 0);
      if (id > 0) return finish(site, upload, id);
    }
    const size = Math.ceil(upload.bytes.length / PART_COUNT);
    while (!isStopped()) {
      const part = upload.bytes.subarray(upload.offset, upload.offset + size);
      const response = await fetch(upload.url, {
        method: 'PATCH',
        headers: {
          ...site.bearer,
          'tus-resumable': '1.0.0',
          'upload-offset': String(upload.offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(part),
      });
      if (response.status === 423) {
        // The lease of a killed process expires after half a minute; clients of the protocol wait and repeat the part.
        await sleep(1_000);
        continue;
      }
      if (response.status !== 204) throw new Error(`part refused: ${response.status}`);
      upload.offset += part.length;
      const id = Number(response.headers.get('upload-attachment-id') ?? 0);
      if (id > 0) return finish(site, upload, id);
    }
  }

  async function finish(site: Site, upload: ResumableUpload, attachment: number) {
    try {
      acknowledgedIds.push(await site.create(attachment));
    } catch (error) {
      // An earlier request created the document but its response was lost.
      if (!/: 409 /.test(String(error))) throw error;
    }
    unfinishedUploads.splice(unfinishedUploads.indexOf(upload), 1);
  }

  return {
    acknowledged: acknowledgedIds,
    problems,
    unfinished: () => unfinishedUploads.length,
    resumed: () => resumedCount,
    /** Uploads files until `isStopped` or until the site is killed. */
    async uploadUntil(isStopped: () => boolean, site: Site, method: 'one' | 'parts') {
      while (!isStopped()) {
        try {
          await (method === 'one' ? uploadWhole(site) : uploadInParts(site, isStopped));
        } catch (error) {
          if (isStopped() || isConnectionError(error)) return;
          throw error;
        }
        // Pauses, so that uploads do not outnumber the conversions between two kills.
        await sleep(Math.random() * 1_000);
      }
    },
  };
}
