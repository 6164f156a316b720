import path from 'node:path';
import type { Config } from '../config.ts';
import { localFileStorage, removeAbandonedWrites } from './local-file-storage.ts';
import type { Storage } from './storage-interface.ts';
import { parseStorageUrl } from './storage-url.ts';

export type { Storage } from './storage-interface.ts';

/** The S3 library is loaded only if STORAGE_URL is set. */
export async function openStorage(config: Pick<Config, 'dataDir' | 'storageUrl'>): Promise<Storage> {
  const location = config.storageUrl && parseStorageUrl(config.storageUrl);
  if (!location) {
    const root = path.join(config.dataDir, 'storage');
    await removeAbandonedWrites(root);
    return localFileStorage(root);
  }
  const { s3Storage } = await import('./s3-storage.ts');
  return s3Storage(location);
}
