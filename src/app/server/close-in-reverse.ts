export type Closer = () => Promise<unknown>;

/** Calls all closers, the last one first. Errors are collected and thrown at the end. */
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
