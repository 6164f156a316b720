const MAX_INTERNED_TEXTS = 50_000;

/** Equal texts share one string, which saves most of the memory of a large sheet. */
export function createTextCache() {
  const texts = new Map<string, string>();
  return (text: string): string => {
    const cachedText = texts.get(text);
    if (cachedText !== undefined) return cachedText;
    if (texts.size >= MAX_INTERNED_TEXTS) texts.clear();
    texts.set(text, text);
    return text;
  };
}
