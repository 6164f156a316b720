/** Opens an index that is a folder, which several processes may open. */
import type { BenchEngine } from './bench-engine.ts';
import { openFts5 } from './bench-engine-fts5.ts';
import { openLanceDb } from './bench-engine-lancedb.ts';

export type FileEngineOptions = {
  name: string;
  folder: string;
  /** Where LanceDB is installed. */
  lancedb: string;
  /** Whether the index stores positions for phrases. */
  hasPositions: boolean;
};

export const openFileEngine = async ({
  name,
  folder,
  lancedb,
  hasPositions,
}: FileEngineOptions): Promise<BenchEngine> =>
  name === 'fts5' ? openFts5(folder, hasPositions) : openLanceDb(folder, lancedb, hasPositions);
