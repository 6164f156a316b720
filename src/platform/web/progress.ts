/** The loading bar without a screen: what it shows, when. */
export type BarState = { phase: 'idle' | 'running' | 'done' | 'failed'; percent: number };

const THROTTLE = 200;
const DURATION = 5000;
const STEP = 100;
/** How long a finished bar stays before it leaves. */
const LINGER = 400;
/** The creep slows down and never claims to be there before it is. */
const CEILING = 95;

export const crept = (elapsed: number) => CEILING * (1 - Math.exp((-3 * elapsed) / DURATION));

export function createProgress(show: (state: BarState) => void) {
  let starting: ReturnType<typeof setTimeout> | undefined;
  let creeping: ReturnType<typeof setInterval> | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    clearTimeout(starting);
    clearInterval(creeping);
    starting = undefined;
    creeping = undefined;
  };
  const run = () => {
    starting = undefined;
    clearTimeout(leaving);
    let elapsed = 0;
    show({ phase: 'running', percent: crept(STEP) });
    creeping = setInterval(() => {
      elapsed += STEP;
      show({ phase: 'running', percent: crept(elapsed) });
    }, STEP);
  };

  return {
    start() {
      if (starting !== undefined || creeping !== undefined) return;
      starting = setTimeout(run, THROTTLE);
    },
    /** What ended before the throttle shows nothing; a failure is shown however fast it came. */
    finish(failed: boolean) {
      const visible = creeping !== undefined;
      stop();
      if (!visible && !failed) return;
      clearTimeout(leaving);
      show({ phase: failed ? 'failed' : 'done', percent: 100 });
      leaving = setTimeout(show, LINGER, { phase: 'idle', percent: 0 });
    },
    dispose() {
      stop();
      clearTimeout(leaving);
    },
  };
}
