import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import * as z from 'zod/mini';

/**
 * A gzipped tar with the entries tables/<name>.copy, storage/<key>, and at the end manifest.json, which lists all entries
 * with their checksums. An archive without a manifest is incomplete.
 */
export const MANIFEST_NAME = 'manifest.json';
export const ARCHIVE_FORMAT = 1;

export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), sha256: z.string() })),
  counters: z.array(z.object({ table: z.string(), column: z.string(), next: z.int() })),
  files: z.array(z.object({ key: z.string(), type: z.string(), size: z.int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

export async function readArchive(
  path: string,
  visit: (name: string, stream: Readable) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const readPromise = pipeline(createReadStream(path), createGunzip(), entries);
  const visitPromise = (async () => {
    for await (const entry of entries) {
      const stream = Readable.from(entry);
      await visit(entry.header.name, stream);
      stream.resume();
    }
  })();
  await Promise.all([readPromise, visitPromise]);
}

export async function sha256Of(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}
