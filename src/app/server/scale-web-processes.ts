import { performance } from 'node:perf_hooks';

const CHECK_MS = 1_000;
/** Shares of the time in which the event loop worked. */
const BUSY_SHARE = 0.6;
const QUIET_SHARE = 0.2;
/** Consecutive checks before a step. */
const BUSY_CHECKS = 2;
const QUIET_CHECKS = 300;

type ScalingState = { isScaledOut: boolean; busyChecks: number; quietChecks: number };
export const initialScalingState: ScalingState = { isScaledOut: false, busyChecks: 0, quietChecks: 0 };

/** The state after a check of the event loop; `isScaledOut` says whether the further processes should run. */
export function nextScalingState(state: ScalingState, workingShare: number): ScalingState {
  const busyChecks = workingShare >= BUSY_SHARE ? state.busyChecks + 1 : 0;
  const quietChecks = workingShare <= QUIET_SHARE ? state.quietChecks + 1 : 0;
  const isScaledOut = state.isScaledOut ? quietChecks < QUIET_CHECKS : busyChecks >= BUSY_CHECKS;
  return { isScaledOut, busyChecks, quietChecks };
}

/**
 * Starts the further web processes while this one is busy, and ends them after five quiet minutes, so that a quiet site
 * needs the memory of one process. Returns a function that ends the checks.
 */
export function scaleWebProcesses(steps: {
  scaleOut: () => Promise<void>;
  scaleIn: () => Promise<void>;
  onError: (error: unknown) => void;
}): () => void {
  let state = initialScalingState;
  let lastUtilization = performance.eventLoopUtilization();
  let runningStep = Promise.resolve();
  let isStopped = false;
  const check = () => {
    const utilization = performance.eventLoopUtilization();
    const { utilization: workingShare } = performance.eventLoopUtilization(utilization, lastUtilization);
    lastUtilization = utilization;
    const { isScaledOut: wasScaledOut } = state;
    state = nextScalingState(state, workingShare);
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
