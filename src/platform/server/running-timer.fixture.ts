const TICK_MS = 50;

/**
 * Starts to measure the time in which this process runs, for limits that a busy machine must not exceed: a tick that
 * comes late, because the process waited for a processor, counts once. Returns a function that gives the milliseconds.
 */
export function startRunningTimer(): () => number {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return ticks * TICK_MS;
  };
}
