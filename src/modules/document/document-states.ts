import type { RenditionState } from '#modules/conversion/conversion.contract.ts';
import type { ConversionState } from './conversion-state.contract.ts';

/** What reviewers decided. */
export type ReviewState = 'published' | 'under-review' | 'refused' | 'disabled';

const conversionStates: Record<RenditionState, ConversionState> = {
  waiting: 'waiting',
  converting: 'converting',
  readable: 'converted',
  ready: 'converted',
  failed: 'failed',
};

type RenditionProgress = { state: RenditionState; pages: number; ready_pages: number; ready_at: string | null };

/** Complete pages stay readable during a re-conversion, even if it fails. */
export const isFullyRendered = ({ pages, ready_pages, ready_at }: RenditionProgress): boolean =>
  ready_at !== null && pages > 0 && ready_pages === pages;

export const conversionStateOf = (rendition: RenditionProgress): ConversionState =>
  isFullyRendered(rendition) ? 'converted' : conversionStates[rendition.state];

/** Owners unlock or replace a file that cannot be converted, also before the review. */
export const hasRepairableFile = (row: { review_state: ReviewState; conversion_state: ConversionState }): boolean =>
  row.conversion_state === 'failed' && (row.review_state === 'published' || row.review_state === 'under-review');

/** A description that was extracted from a file follows the file; one that a user wrote or deleted stays. */
export const describeBySummary = (row: { description: string; extracted_summary: string }, summary: string) => ({
  description: row.description === row.extracted_summary ? summary : row.description,
  extracted_summary: summary,
});
