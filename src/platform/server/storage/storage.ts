import path from 'node:path';
import type { Config } from '../config.ts';
import type { Storage } from './driver.ts';
import { localStorage, removeAbandoned } from './local.ts';
import { parseStorageUrl } from './storage-url.ts';

export type { Storage } from './driver.ts';

/** S3 is only loaded where it is used. */
export async function openStorage(config: Pick<Config, 'dataDir' | 'storageUrl'>): Promise<Storage> {
  const location = config.storageUrl && parseStorageUrl(config.storageUrl);
  if (!location) {
    const root = path.join(config.dataDir, 'storage');
    await removeAbandoned(root);
    return localStorage(root);
  }
  const { s3Storage } = await import('./s3.ts');
  return s3Storage(location);
}
