/**
 * A bare server for comparison: each route runs one prepared query and sends stored bytes. Arguments: database URL, port, and
 * a folder with one file of bytes for each route.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fastify } from 'fastify';
import pg from 'pg';

const [databaseUrl = '', port = '', folder = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const app = fastify();
for (const name of await readdir(folder)) {
  const bytes = await readFile(path.join(folder, name));
  app.get(`/${name}`, async (_request, reply) => {
    await pool.query({ name: 'documents', text: 'select id, title from documents order by id desc limit 20' });
    return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
  });
}
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.stdout.write('ready\n');
