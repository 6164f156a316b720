/** A recognized character; `start` and `end` are the shares of the line's width between which the model saw it. */
export type RecognizedCharacter = { text: string; start: number; end: number; confidence: number };

/**
 * Decodes the output of a model trained with connectionist temporal classification: the best class of each step, without
 * blanks (class 0) and repetitions.
 */
export function decodeCtc(probabilities: Float32Array, characters: readonly string[]): RecognizedCharacter[] {
  const classes = characters.length;
  const steps = Math.floor(probabilities.length / classes);
  const line: RecognizedCharacter[] = [];
  let previousClass = 0;
  for (let step = 0; step < steps; step++) {
    const { best, confidence } = findBestClass(probabilities, step * classes, classes);
    const previous = line.at(-1);
    if (best !== 0 && best === previousClass && previous) {
      previous.end = (step + 1) / steps;
      previous.confidence = Math.max(previous.confidence, confidence);
    } else if (best !== 0) {
      line.push({ text: characters[best] ?? '', start: step / steps, end: (step + 1) / steps, confidence });
    }
    previousClass = best;
  }
  return line;
}

function findBestClass(probabilities: Float32Array, from: number, classes: number) {
  let [best, confidence] = [0, probabilities[from] ?? 0];
  for (let index = 1; index < classes; index++) {
    const probability = probabilities[from + index] ?? 0;
    if (probability > confidence) [best, confidence] = [index, probability];
  }
  return { best, confidence };
}

export const meanConfidence = (line: readonly Pick<RecognizedCharacter, 'confidence'>[]): number =>
  line.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, line.length);
