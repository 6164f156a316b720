export type Closer = () => Promise<unknown>;

/** Calls all closers, the last one first. One that fails does not keep the others from being called. */
export async function closeInReverse(closers: readonly Closer[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
}
