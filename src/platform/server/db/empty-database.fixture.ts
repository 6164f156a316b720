import pg from 'pg';
import { inject } from 'vitest';

/** Creates an empty database on the server of the test run and returns its URL. */
export async function emptyDatabase(): Promise<string> {
  const server = inject('databaseUrl');
  const name = `empty_${crypto.randomUUID().slice(0, 8)}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return server.replace(/\/douku(\?|$)/, `/${name}$1`);
}
