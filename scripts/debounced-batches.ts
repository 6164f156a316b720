/**
 * Yields the names that the sources report as one batch when no name arrived for `quietMs`. Names that arrive while the
 * consumer handles a batch belong to the next one.
 */
export async function* debouncedBatches(sources: AsyncIterable<string>[], quietMs: number): AsyncGenerator<string[]> {
  const pendingNames = new Set<string>();
  let quiet = Promise.withResolvers<'quiet'>();
  let timer: NodeJS.Timeout | undefined;
  const collect = async (names: AsyncIterable<string>) => {
    for await (const name of names) {
      pendingNames.add(name);
      clearTimeout(timer);
      timer = setTimeout(() => quiet.resolve('quiet'), quietMs);
    }
  };
  const end = Promise.all(sources.map(collect));
  while ((await Promise.race([quiet.promise, end])) === 'quiet') {
    clearTimeout(timer);
    quiet = Promise.withResolvers();
    const batch = [...pendingNames];
    pendingNames.clear();
    yield batch;
  }
}
