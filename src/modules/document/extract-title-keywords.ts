import { loadWordSegmenter } from '#modules/text/segmenter.ts';

const MAX_KEYWORDS_LENGTH = 255;

/** The distinct words of a title with at least two characters: `线性代数,习题`. */
export async function extractTitleKeywords(title: string): Promise<string> {
  const words = (await loadWordSegmenter()).cut(title, true).map((word) => word.trim());
  const keywordsOfTitle = words.filter((word) => /[\p{L}\p{N}]/u.test(word) && [...word].length >= 2);
  let keywords = '';
  for (const word of new Set(keywordsOfTitle.filter((word) => !word.includes(',')))) {
    const extendedKeywords = keywords ? `${keywords},${word}` : word;
    if (extendedKeywords.length > MAX_KEYWORDS_LENGTH) break;
    keywords = extendedKeywords;
  }
  return keywords;
}
