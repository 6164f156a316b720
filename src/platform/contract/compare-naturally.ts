const collator = new Intl.Collator('zh-CN-u-co-pinyin', { numeric: true, sensitivity: 'base' });

/** Sorts names as a person does: page 2 comes before page 10. */
export const compareNaturally = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : 1);
