import type { PageWords } from '../events.ts';

/** Content of the file that is written for a recognized page. */
export type RecognizedPage = {
  words: PageWords;
  /** Mean of the characters, from 0 to 1. */
  confidence: number;
  engine: string;
};

/** Lines below this confidence are pictures, handwriting or noise. */
export const MIN_LINE_CONFIDENCE = 0.5;
