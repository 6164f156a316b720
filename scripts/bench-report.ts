/** Prints one figure of a bench as a line of JSON, and remembers whether every promise was kept. */
export function benchReport() {
  let broken = 0;
  return {
    report(name: string, figures: Record<string, number>, isKept: boolean) {
      const rounded = Object.fromEntries(
        Object.entries(figures).map(([key, value]) => [key, Math.round(value * 100) / 100]),
      );
      if (!isKept) broken++;
      console.log(JSON.stringify({ bench: name, ...rounded, kept: isKept }));
    },
    exitCode: () => (broken > 0 ? 1 : 0),
  };
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
