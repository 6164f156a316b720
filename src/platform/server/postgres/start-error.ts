/** The message is one line for the person who started the program. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError';
}
