import type { PublicSettings } from '#modules/settings/settings.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { MAX_PAGES_PER_REQUEST } from '../reading.contract.ts';

const DEFAULT_PAGES = 5;

/** Pages per request; also the pages per part without scripts. */
export const pageBatchSize = ({ display }: Pick<PublicSettings, 'display'>): number =>
  Math.min(MAX_PAGES_PER_REQUEST, display.pages_per_read || DEFAULT_PAGES);

export const usePageBatchSize = (): number => pageBatchSize(useSettings());
