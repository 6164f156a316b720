import { expect, test } from 'vitest';
import { classifyRenderRun, nextStepAfter, type RenderOutcome, type RenderRun } from './render-outcome.ts';

type RunEnd = Partial<RenderRun['end']>;

const makeRun = (end: RunEnd, run: Partial<RenderRun> = {}): RenderRun => ({
  currentPage: 0,
  isPdfPending: false,
  parallel: 1,
  skippedPages: new Set(),
  signal: AbortSignal.abort('the reason'),
  ...run,
  end: { isDone: false, code: 1, killedBy: null, stderrTail: '', ...end },
});

const twentyPages = new Set(Array.from({ length: 20 }, (_, index) => index + 100));

const runs: [RenderOutcome, RenderRun][] = [
  ['done', makeRun({ isDone: true, killedBy: 'cpu' })],
  ['aborted', makeRun({ killedBy: 'abort' }, { isPdfPending: true })],
  ['endedBeforePdf', makeRun({ killedBy: 'cpu' }, { isPdfPending: true })],
  ['outOfProcessorTime', makeRun({ killedBy: 'cpu' }, { currentPage: 3 })],
  ['parallelPagesOutOfMemory', makeRun({ killedBy: 'memory' }, { parallel: 4, currentPage: 3 })],
  ['parallelPagesOutOfMemory', makeRun({ code: 137 }, { parallel: 2 })],
  ['hungBeforeFirstPage', makeRun({ killedBy: 'stall' })],
  ['hungBeforeFirstPage', makeRun({ killedBy: 'idle' })],
  ['outOfMemoryBeforeFirstPage', makeRun({ code: null })],
  ['engineCrashedBeforeFirstPage', makeRun({ stderrTail: 'RuntimeError: unreachable' })],
  ['failedBeforeFirstPage', makeRun({ stderrTail: 'no such module' })],
  ['crashedOnSkippedPage', makeRun({}, { currentPage: 3, skippedPages: new Set([3]) })],
  ['tooManyBrokenPages', makeRun({}, { currentPage: 3, skippedPages: twentyPages })],
  ['crashedOnPage', makeRun({ killedBy: 'memory' }, { currentPage: 3, skippedPages: new Set([2]) })],
  ['crashedOnPage', makeRun({ killedBy: 'stall' }, { currentPage: 3, isPdfPending: true })],
];

test.each(runs)('a run of the renderer is classified as %s: %o', (outcome, run) => {
  expect(classifyRenderRun(run)).toBe(outcome);
});

const failureOf = (run: RenderRun) => {
  const step = nextStepAfter(run);
  return step.action === 'fail' ? step.error(run) : null;
};

test('a run that ran out of processor time fails with the skipped pages', () => {
  const run = makeRun({ killedBy: 'cpu' }, { currentPage: 3, skippedPages: new Set([1, 2]) });
  expect(failureOf(run)).toMatchObject({ name: 'ConversionTimeout', pages: [1, 2] });
});

test('an aborted run fails with the reason of its signal', () => {
  expect(failureOf(makeRun({ killedBy: 'abort' }))).toBe('the reason');
});

test('a run that crashed on a new page is repeated without that page', () => {
  expect(nextStepAfter(makeRun({}, { currentPage: 3 }))).toEqual({ action: 'skipPage' });
});
