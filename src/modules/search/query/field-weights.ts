/** Weight of a word by its field: anywhere, frequent in the text, keywords, title. */
export const FIELD_WEIGHTS = { any: 0.2, often: 0.5, keyword: 0.75, title: 1 } as const;
/** Small enough to act only as tie-breakers. */
export const QUALITY_WEIGHT = 0.08;
export const FRESHNESS_WEIGHT = 0.04;

/** A Latin word may be the pinyin of a title. */
export const isPinyinCandidate = (text: string): boolean => /^[a-z]{2,40}$/.test(text);
