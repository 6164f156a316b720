import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import * as z from 'zod/mini';

/**
 * One gzipped tar: tables/<name>.copy, storage/<key>, and last manifest.json, which names every
 * entry with its checksum. An archive without a manifest was cut short.
 */
export const MANIFEST = 'manifest.json';
export const FORMAT = 1;

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), sha256: z.string() })),
  counters: z.array(z.object({ table: z.string(), column: z.string(), next: z.int() })),
  files: z.array(z.object({ key: z.string(), type: z.string(), size: z.int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Calls back for every entry, in order; each stream must be read to its end. */
export async function readArchive(
  path: string,
  visit: (name: string, stream: Readable) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const reading = pipeline(createReadStream(path), createGunzip(), entries);
  const visiting = (async () => {
    for await (const entry of entries) {
      const stream = Readable.from(entry);
      await visit(entry.header.name, stream);
      stream.resume();
    }
  })();
  await Promise.all([reading, visiting]);
}

export async function digest(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}
