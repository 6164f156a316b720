/** State of the loading bar, independent of React. */
export type LoadingBarState = { phase: 'idle' | 'running' | 'done' | 'failed'; percent: number };

const SHOW_DELAY_MS = 200;
const EXPECTED_DURATION_MS = 5000;
const STEP_MS = 100;
/** Time for which a finished bar stays visible. */
const HIDE_DELAY_MS = 400;
/** A running bar slows down towards this value and does not reach 100 % before the work ends. */
const MAX_RUNNING_PERCENT = 95;

export const loadingBarPercent = (elapsedMs: number) =>
  MAX_RUNNING_PERCENT * (1 - Math.exp((-3 * elapsedMs) / EXPECTED_DURATION_MS));

export function createLoadingBarProgress(show: (state: LoadingBarState) => void) {
  let startTimer: ReturnType<typeof setTimeout> | undefined;
  let stepTimer: ReturnType<typeof setInterval> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    clearTimeout(startTimer);
    clearInterval(stepTimer);
    startTimer = undefined;
    stepTimer = undefined;
  };
  const run = () => {
    startTimer = undefined;
    clearTimeout(hideTimer);
    let elapsedMs = 0;
    show({ phase: 'running', percent: loadingBarPercent(STEP_MS) });
    stepTimer = setInterval(() => {
      elapsedMs += STEP_MS;
      show({ phase: 'running', percent: loadingBarPercent(elapsedMs) });
    }, STEP_MS);
  };

  return {
    start() {
      if (startTimer !== undefined || stepTimer !== undefined) return;
      startTimer = setTimeout(run, SHOW_DELAY_MS);
    },
    /** Work that ends within `SHOW_DELAY_MS` shows nothing, unless it failed. */
    finish(hasFailed: boolean) {
      const isVisible = stepTimer !== undefined;
      stop();
      if (!isVisible && !hasFailed) return;
      clearTimeout(hideTimer);
      show({ phase: hasFailed ? 'failed' : 'done', percent: 100 });
      hideTimer = setTimeout(show, HIDE_DELAY_MS, { phase: 'idle', percent: 0 });
    },
    dispose() {
      stop();
      clearTimeout(hideTimer);
    },
  };
}
