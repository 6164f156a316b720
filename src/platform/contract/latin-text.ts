/** Above this share of Chinese, Japanese or Korean characters a text is set in a font for them. */
const MAX_WIDE_SHARE = 0.05;

/** Whether a text is mostly written in Latin letters. */
export function isLatinText(text: string): boolean {
  const wide = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  );
  const latin = text.match(/\p{Script=Latin}/gu);
  const letters = (wide?.length ?? 0) + (latin?.length ?? 0);
  return letters > 0 && (wide?.length ?? 0) <= letters * MAX_WIDE_SHARE;
}
