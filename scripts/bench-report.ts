import { readFileSync } from 'node:fs';

/** Jiffies since the machine began: all of them, and those another machine on the same host had. */
function jiffies() {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const spent = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: spent.reduce((sum, each) => sum + each, 0), stolen: spent[7] ?? 0 };
}

/** Tells each time what share of the processors was taken away since it was asked last. */
export function stolenSince() {
  let before = jiffies();
  return () => {
    const now = jiffies();
    const share = (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
    before = now;
    return share;
  };
}

/**
 * Prints one figure of a bench as a line of JSON, and remembers whether every promise was kept. `stolen`
 * tells what the host gave to others meanwhile: figures of time suffer from it.
 */
export function benchReport() {
  let broken = 0;
  const stolen = stolenSince();
  return {
    report(name: string, figures: Record<string, number>, isKept: boolean) {
      const rounded = Object.fromEntries(
        Object.entries({ stolen: stolen(), ...figures }).map(([key, value]) => [key, Math.round(value * 100) / 100]),
      );
      if (!isKept) broken++;
      console.log(JSON.stringify({ bench: name, ...rounded, kept: isKept }));
    },
    exitCode: () => (broken > 0 ? 1 : 0),
  };
}

/** The nearest rank: the least value that so large a share of all does not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
