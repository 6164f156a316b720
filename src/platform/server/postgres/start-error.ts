/** The message is one line for the operator. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError';
}
