import { segmenter } from '#modules/text/segmenter.ts';

const MAX_KEYWORDS = 255;

/** The words of a title that tell something, each once: `线性代数,习题`. */
export async function titleKeywords(title: string): Promise<string> {
  const words = (await segmenter()).cut(title, true).map((word) => word.trim());
  const telling = words.filter((word) => /[\p{L}\p{N}]/u.test(word) && [...word].length >= 2);
  let keywords = '';
  for (const word of new Set(telling.filter((word) => !word.includes(',')))) {
    const longer = keywords ? `${keywords},${word}` : word;
    if (longer.length > MAX_KEYWORDS) break;
    keywords = longer;
  }
  return keywords;
}
