/** What a word is worth by its place: somewhere, often in the text, among the keywords, in the title. */
export const FIELD_WEIGHTS = { any: 0.2, often: 0.5, keyword: 0.75, title: 1 } as const;
/** Quality and freshness decide between equals. */
export const QUALITY_WEIGHT = 0.08;
export const FRESHNESS_WEIGHT = 0.04;

/** A word of letters may be the sound of a title. */
export const isPinyinField = (text: string): boolean => /^[a-z]{2,40}$/.test(text);
