/** Uploads that go on whatever happens to the site, and what must not be lost of them. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import type { siteClient } from './site-client.ts';

type Site = Awaited<ReturnType<typeof siteClient>>;
type File = { name: string; bytes: Buffer };
/** An upload in parts: so much of it was acknowledged. */
type Begun = File & { url: string; offset: number };

const PARTS = 4;
const made = [
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

/** A small document of one kind or another, different from all others. */
function newFile(): File {
  const make = made[Math.floor(Math.random() * made.length)] ?? made[0];
  if (!make) throw new Error('nothing to upload');
  return make(randomBytes(6).toString('hex'));
}

/** The site was killed: not a failure of its own. */
const isCutOff = (error: unknown) =>
  /fetch failed|other side closed|terminated|ECONNREFUSED|ECONNRESET/.test(
    String((error as Error).cause ?? error) + String(error),
  );

export function stressUploads(origin: string) {
  const acknowledged: number[] = [];
  const unfinished: Begun[] = [];
  const problems: string[] = [];
  let resumed = 0;
  const path = `${origin}/api/v1/upload/resumable`;

  async function inOne(site: Site) {
    const { name, bytes } = newFile();
    acknowledged.push(await site.create(await site.upload(name, bytes)));
  }

  async function begin(site: Site): Promise<Begun> {
    const file = newFile();
    const answer = await fetch(path, {
      method: 'POST',
      headers: {
        ...site.bearer,
        'tus-resumable': '1.0.0',
        'upload-length': String(file.bytes.length),
        'upload-metadata': `filename ${Buffer.from(file.name).toString('base64')}`,
      },
    });
    if (answer.status !== 201) throw new Error(`no upload begun: ${answer.status}`);
    const url = new URL(answer.headers.get('location') ?? '', origin).href;
    return { ...file, url, offset: 0 };
  }

  /** Goes on where the site says it stopped, which must not be before what it has acknowledged. */
  async function inParts(site: Site, isStopped: () => boolean) {
    const known = unfinished.shift();
    const upload = known ?? (await begin(site));
    if (!known) unfinished.push(upload);
    else {
      resumed += 1;
      unfinished.push(known);
      const answer = await fetch(upload.url, { method: 'HEAD', headers: site.bearer });
      const there = Number(answer.headers.get('upload-offset') ?? -1);
      if (answer.status !== 200 || there < upload.offset)
        problems.push(`${upload.name}: ${upload.offset} bytes acknowledged, ${there} are there`);
      upload.offset = Math.max(0, there);
      const id = Number(answer.headers.get('upload-attachment-id') ?? 0);
      if (id > 0) return finish(site, upload, id);
    }
    const size = Math.ceil(upload.bytes.length / PARTS);
    while (!isStopped()) {
      const part = upload.bytes.subarray(upload.offset, upload.offset + size);
      const answer = await fetch(upload.url, {
        method: 'PATCH',
        headers: {
          ...site.bearer,
          'tus-resumable': '1.0.0',
          'upload-offset': String(upload.offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(part),
      });
      if (answer.status !== 204) throw new Error(`part refused: ${answer.status}`);
      upload.offset += part.length;
      const id = Number(answer.headers.get('upload-attachment-id') ?? 0);
      if (id > 0) return finish(site, upload, id);
    }
  }

  async function finish(site: Site, upload: Begun, attachment: number) {
    try {
      acknowledged.push(await site.create(attachment));
    } catch (error) {
      // Made by a request whose answer was cut off: nobody was told of it.
      if (!/: 409 /.test(String(error))) throw error;
    }
    unfinished.splice(unfinished.indexOf(upload), 1);
  }

  return {
    acknowledged,
    problems,
    unfinished: () => unfinished.length,
    resumed: () => resumed,
    /** Uploads one file after the other until told to stop, or cut off. */
    async until(isStopped: () => boolean, site: Site, how: 'one' | 'parts') {
      while (!isStopped()) {
        try {
          await (how === 'one' ? inOne(site) : inParts(site, isStopped));
        } catch (error) {
          if (isStopped() || isCutOff(error)) return;
          throw error;
        }
        // Else more would come in than is converted between two kills.
        await sleep(Math.random() * 1_000);
      }
    },
  };
}
