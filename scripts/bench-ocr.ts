/**
 * Measures the text recognition: wrong characters, processor time and peak memory of each sample page. Prints JSON lines;
 * exits 1 if a figure exceeds its limit. The rates are percentages.
 */
import { characterErrorRate } from '#modules/conversion/character-error-rate.fixture.ts';
import { findMissingEngineParts } from '#modules/conversion/recognition-engines.ts';
import { recognizeFile } from '#modules/conversion/recognize-file.fixture.ts';
import {
  columnsPage,
  degrade,
  mixedPage,
  rotate,
  type ScannedPage,
  sealPage,
  simplifiedPage,
  tablePage,
  traditionalPage,
  verticalPage,
} from '#modules/conversion/scanned-pages.fixture.ts';
import { benchReport } from './bench-report.ts';

const [CLEAN_LIMIT_PERCENT, DEGRADED_LIMIT_PERCENT] = [2, 6];
const MAX_MEAN_CPU_SECONDS = 8;
const MAX_MEMORY_MB = 1_024;

type Sample = { draw: () => Promise<ScannedPage>; limit: number; engine?: 'paddle' | 'tesseract' };
const cleanSample = (draw: () => Promise<ScannedPage>): Sample => ({ draw, limit: CLEAN_LIMIT_PERCENT });
const degradedSample = (draw: () => Promise<ScannedPage>): Sample => ({
  draw: async () => degrade(await draw()),
  limit: DEGRADED_LIMIT_PERCENT,
});

const samples: Sample[] = [
  ...[simplifiedPage, mixedPage, columnsPage, verticalPage, tablePage, sealPage].map((draw) =>
    cleanSample(() => draw()),
  ),
  ...([90, 180, 270] as const).map((degrees) => cleanSample(async () => rotate(await simplifiedPage(), degrees))),
  ...[simplifiedPage, mixedPage, columnsPage, tablePage].map((draw) => degradedSample(() => draw())),
  ...((await findMissingEngineParts('tesseract')) === ''
    ? [
        cleanSample(traditionalPage),
        { draw: tablePage, limit: DEGRADED_LIMIT_PERCENT, engine: 'tesseract' as const },
        { draw: () => simplifiedPage(), limit: 2 * DEGRADED_LIMIT_PERCENT, engine: 'tesseract' as const },
      ]
    : []),
];

const { report, exitCode } = benchReport();
const cpuSecondsOfPages: number[] = [];
for (const { draw, limit, engine = 'paddle' } of samples) {
  const scan = await draw();
  const { results, cpuSeconds, peakMegabytes } = await recognizeFile(scan.image, { engine });
  const wrongPercent = 100 * characterErrorRate(scan.text, results[0]?.text ?? '');
  if (engine === 'paddle') cpuSecondsOfPages.push(cpuSeconds);
  report(
    `${engine}: ${scan.name}`,
    { wrong_percent: wrongPercent, limit, cpu_s: cpuSeconds, memory_mb: peakMegabytes, memory_limit: MAX_MEMORY_MB },
    wrongPercent <= limit && peakMegabytes <= MAX_MEMORY_MB,
  );
}
const mean = cpuSecondsOfPages.reduce((sum, seconds) => sum + seconds, 0) / cpuSecondsOfPages.length;
report(
  'processor time of a page, with the start',
  { mean_s: mean, limit: MAX_MEAN_CPU_SECONDS },
  mean <= MAX_MEAN_CPU_SECONDS,
);
process.exitCode = exitCode();
