const STOP_TIMEOUT_MS = 30_000;
/** npm and the terminal pass on the same signal, so several arrive together. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Stops gracefully on a signal, or when the returned function is called. The timeout exits immediately. So does a later
 * second signal, unless `ignoresRepeatedSignals` says that several processes send it.
 */
export function stopOnSignal(closeAll: () => Promise<void>, { ignoresRepeatedSignals = false } = {}): () => void {
  let stopStartedAt = 0;
  const stop = () => {
    const isRepeated = stopStartedAt > 0;
    if (isRepeated && (ignoresRepeatedSignals || performance.now() - stopStartedAt < SAME_SIGNAL_MS)) return;
    if (isRepeated) process.exit(1);
    stopStartedAt = performance.now();
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    closeAll().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The script that started this process was killed, and no other process would stop this one.
  process.on('disconnect', stop);
  process.channel?.unref();
  return stop;
}
