// A program that uses the embedded PostgreSQL until it is killed: `node start-postgres.fixture.ts <folder>`.
import { pino } from 'pino';
import { startPostgres } from './postgres.ts';

const [dataDir = ''] = process.argv.slice(2);
const { url, attached } = await startPostgres({ dataDir, log: pino({ level: 'silent' }) });
process.stdout.write(`${JSON.stringify({ url, attached })}\n`);
