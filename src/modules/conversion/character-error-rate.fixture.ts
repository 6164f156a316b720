/** Without spaces and with the width of characters unified. */
const comparableText = (text: string) => Array.from(text.normalize('NFKC').replace(/\s+/gu, ''));

/** Edit distance of the recognized text as a share of the length of the real one. */
export function characterErrorRate(expectedText: string, recognizedText: string): number {
  const [reference, candidate] = [comparableText(expectedText), comparableText(recognizedText)];
  let previous = Array.from({ length: candidate.length + 1 }, (_, index) => index);
  reference.forEach((character, row) => {
    const distances = [row + 1];
    candidate.forEach((other, column) => {
      const substitution = (previous[column] ?? 0) + (character === other ? 0 : 1);
      distances.push(Math.min(substitution, (previous[column + 1] ?? 0) + 1, (distances[column] ?? 0) + 1));
    });
    previous = distances;
  });
  return (previous.at(-1) ?? 0) / Math.max(1, reference.length);
}
