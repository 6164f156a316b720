import { readFileSync } from 'node:fs';

/** Processor ticks since boot: all of them, and those that the host gave to other machines (steal time). */
function readProcessorTicks() {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, count) => sum + count, 0), stolen: ticks[7] ?? 0 };
}

/** Returns a function that gives the steal time since its previous call, as a share of all processor time. */
export function stealMeter() {
  let before = readProcessorTicks();
  return () => {
    const now = readProcessorTicks();
    const share = (now.stolen - before.stolen) / Math.max(1, now.total - before.total);
    before = now;
    return share;
  };
}

/**
 * Prints the figures of a bench as JSON lines and records whether all are within their limits. `stolen` is the steal time
 * since the previous line, which makes durations longer.
 */
export function benchReport() {
  let failures = 0;
  const stealShare = stealMeter();
  return {
    report(name: string, figures: Record<string, number>, isWithinLimit: boolean) {
      const roundedFigures = Object.fromEntries(
        Object.entries({ stolen: stealShare(), ...figures }).map(([key, value]) => [
          key,
          Math.round(value * 100) / 100,
        ]),
      );
      if (!isWithinLimit) failures++;
      console.log(JSON.stringify({ bench: name, ...roundedFigures, passed: isWithinLimit }));
    },
    exitCode: () => (failures > 0 ? 1 : 0),
  };
}

/** Nearest-rank percentile; `share` is between 0 and 1. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
