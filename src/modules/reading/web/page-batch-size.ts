import type { PublicSettings } from '#modules/settings/settings.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { MAX_PAGES_PER_REQUEST } from '../reading.contract.ts';

const USUAL = 5;

/** So many pages are asked for at once; also the part one reads at a time without scripts. */
export const pageBatchSize = ({ display }: Pick<PublicSettings, 'display'>): number =>
  Math.min(MAX_PAGES_PER_REQUEST, display.pages_per_read || USUAL);

export const usePageBatchSize = (): number => pageBatchSize(useSettings());
