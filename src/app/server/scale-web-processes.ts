const CHECK_MS = 1_000;
/**
 * Shares of a core that the main thread used. Processor time, because on a machine that is busy with other work a further
 * process would only compete for the same cores.
 */
const BUSY_SHARE = 0.4;
const QUIET_SHARE = 0.2;
/** Consecutive checks before a step. */
const BUSY_CHECKS = 2;
const QUIET_CHECKS = 300;

type ScalingState = { isScaledOut: boolean; busyChecks: number; quietChecks: number };
export const initialScalingState: ScalingState = { isScaledOut: false, busyChecks: 0, quietChecks: 0 };

/**
 * The state after a check; `isScaledOut` says whether the additional processes should run. While they run, each process
 * has about the same share of the load.
 */
export function nextScalingState(state: ScalingState, mainShare: number, processCount: number): ScalingState {
  const coreShare = state.isScaledOut ? mainShare * processCount : mainShare;
  const busyChecks = coreShare >= BUSY_SHARE ? state.busyChecks + 1 : 0;
  const quietChecks = coreShare <= QUIET_SHARE ? state.quietChecks + 1 : 0;
  const isScaledOut = state.isScaledOut ? quietChecks < QUIET_CHECKS : busyChecks >= BUSY_CHECKS;
  return { isScaledOut, busyChecks, quietChecks };
}

const readMainThreadCpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Starts the additional web processes while this one is busy, and ends them after five quiet minutes, so that a quiet site
 * needs the memory of one process. Returns a function that ends the checks.
 */
export function scaleWebProcesses(steps: {
  processCount: number;
  /** Processor time of the main thread since the start of the process, in milliseconds. */
  readCpuMs?: () => number;
  scaleOut: () => Promise<void>;
  scaleIn: () => Promise<void>;
  onError: (error: unknown) => void;
}): () => void {
  const { readCpuMs = readMainThreadCpuMs } = steps;
  let state = initialScalingState;
  let lastCpuMs = readCpuMs();
  let lastCheckAt = performance.now();
  let runningStep = Promise.resolve();
  let isStopped = false;
  const check = () => {
    const [cpuMs, now] = [readCpuMs(), performance.now()];
    const coreShare = (cpuMs - lastCpuMs) / (now - lastCheckAt);
    lastCpuMs = cpuMs;
    lastCheckAt = now;
    const { isScaledOut: wasScaledOut } = state;
    state = nextScalingState(state, coreShare, steps.processCount);
    if (state.isScaledOut === wasScaledOut) return;
    const step = state.isScaledOut ? steps.scaleOut : steps.scaleIn;
    runningStep = runningStep.then(() => (isStopped ? undefined : step())).catch(steps.onError);
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
