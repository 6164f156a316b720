import { connect } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makePicture, uploadRequest } from '#modules/attachment/picture.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { cancelUploadRequest, createUploadRequest, uploadPartRequest } from '#modules/upload/resumable.fixture.ts';
import { projectRoot } from '#platform/server/config.ts';
import { findFreePort } from '#testing/free-port.ts';
import { s3Url, startMemoryS3 } from '#testing/memory-s3.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, as, pool } = await testApp({
  build: join(projectRoot, 'build'),
  env: { LOG_LEVEL: 'fatal' },
});
const root = await as.root();
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as { port: number };

const uploads = apiRoutes.filter(({ endpoint }) => endpoint.upload);
const BROKEN_BODIES = {
  'cut before the first part': ['multipart/form-data; boundary=xyz', '--xy'],
  'cut within the headers of the first part': [
    'multipart/form-data; boundary=xyz',
    '--xyz\r\nContent-Disposition: form-data; name="fi',
  ],
  'without a boundary': ['multipart/form-data', 'bytes'],
} as const;

describe.each(Object.entries(BROKEN_BODIES))('a multipart body %s', (_, [type, payload]) => {
  test.each(uploads.map(({ endpoint }) => endpoint.path))(
    'sent to %s is rejected with 400 and a readable message',
    async (path) => {
      const headers = { ...root, 'content-type': type };
      const response = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
      expect([response.statusCode, response.json().code]).toEqual([400, 'http.badRequest']);
      expect(response.json().message).toMatch(/请重新上传/);
    },
  );
});

test('the API has six upload routes, which the multipart tests cover', () => {
  expect(uploads).toHaveLength(6);
});

/** Sends raw bytes and reads the whole response. */
const sendRaw = (bytes: string) =>
  new Promise<{ head: string; body: string }>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      resolve({ head, body });
    });
  });

test.each([
  ['headers that are too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['bytes that are not HTTP', 'NONSENSE\r\n\r\n', 400],
  ['two lengths', 'GET / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
])('%s are answered with the JSON error body and the security headers', async (_, bytes, status) => {
  const { head, body } = await sendRaw(bytes);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const { headers } = await app.inject('/api/v1/nothing');
  for (const name of [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'x-request-id',
    'referrer-policy',
    'permissions-policy',
    'cross-origin-opener-policy',
    'cache-control',
  ]) {
    expect(headers[name], name).toBeDefined();
    expect(head, name).toMatch(new RegExp(`^${name}: \\S`, 'im'));
  }
  const response = JSON.parse(body);
  expect(response).toEqual({ code: response.code, message: response.message, error: response.message });
  expect(response.message).toMatch(/\p{Script=Han}/u);
});

const rejectedRequests: [string, number, InjectOptions][] = [
  ['an unknown path of the API', 404, { url: '/api/v1/nothing' }],
  ['a path that is not well formed', 400, { url: '/api/v1/%E0%A4%A' }],
  ['a call that needs a login', 401, { url: '/api/v1/upload/list' }],
  ['a wrong parameter', 400, { url: '/api/v1/category/list?page=x' }],
  ['a body that is not JSON', 400, json('{')],
  ['a body that is too large', 413, json(JSON.stringify({ a: 'a'.repeat(1024 * 1024) }))],
  ['a body of an unknown type', 415, { ...json(''), payload: 'x', headers: { 'content-type': 'x/y' } }],
  ['a resumable upload by a visitor', 401, { method: 'POST', url: '/api/v1/upload/resumable' }],
  ['an uploaded file that does not exist', 404, { url: '/uploads/x' }],
];
function json(payload: string): InjectOptions {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', url: '/api/v1/user/login', headers, payload };
}

test.each(rejectedRequests)('%s is answered with status, code, message and error', async (_, status, request) => {
  const response = await app.inject(request);
  const { code, message } = response.json();
  expect([response.statusCode, response.json()]).toEqual([status, { code, message, error: message }]);
  expect(message).toMatch(/\p{Script=Han}/u);
});

test('the OpenAPI document describes code, message and error of an error response', async () => {
  const { paths } = (await app.inject('/api/docs/json')).json();
  const { default: failure } = paths['/api/v1/category/list'].get.responses;
  const { schema } = failure.content['application/json'];
  expect(schema.required).toEqual(['code', 'message', 'error']);
  expect(Object.keys(schema.properties)).toEqual(['code', 'message', 'error']);
});

const requests: InjectOptions[] = [
  '/api/v1/category/list',
  '/api/v1/document/home',
  '/api/v1/nothing',
  '/api/docs/nothing',
  '/',
  '/document/1',
  '/category',
  '/search?wd=a',
  '/user/1',
  '/article/about',
  '/nothing',
  '/_root.data',
  '/category.data',
  '/admin',
  '/login',
  '/%E0%A4%A',
  '/uploads/banner/00/x.webp',
  '/view/page/x',
  '/favicon.ico',
  '/robots.txt',
  '/sitemap.xml',
  '/feed.xml',
  '/download/x',
].map((url) => ({ url }));
requests.push(
  ...uploads.map(({ endpoint }): InjectOptions => {
    const headers = { ...root, 'content-type': 'multipart/form-data; boundary=xyz' };
    return { method: 'POST', url: `/api/v1${endpoint.path}`, headers, payload: '--xy' };
  }),
  ...(['POST', 'HEAD', 'PATCH', 'DELETE'] as const).map((method): InjectOptions => {
    const url = `/api/v1/upload/resumable${method === 'POST' ? '' : '/00'}`;
    return { method, url, headers: { ...root, 'tus-resumable': '1.0.0', 'upload-length': '1' } };
  }),
);

const INTERNALS =
  /failed query|select |insert |relation |\bat \S+ \(|node_modules|\/src\/|\.[jt]s:\d|ECONN|ENOENT|postgres|drizzle|database "|terminat|params:|@aws|XML parse|InternalError|UnknownError|StorageServer|storage\.invalid|fetch failed|opensearch|127\.0\.0\.1/i;

async function expectNoInternals(site: FastifyInstance = app, siteRequests = requests) {
  const statuses: number[] = [];
  for (const request of siteRequests) {
    const response = await site.inject(request);
    const text = response.body.replace(/<(script|style|link)\b.*?>/gs, '');
    const label = `${request.method ?? 'GET'} ${request.url} ${response.statusCode}`;
    expect(INTERNALS.exec(text)?.[0], label).toBeUndefined();
    expect(text, label).not.toContain(projectRoot);
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    if (isJson && response.statusCode >= 400)
      expect(Object.keys(response.json()), label).toEqual(['code', 'message', 'error']);
    if (response.statusCode === 503) expect(response.headers['retry-after'], label).toBeDefined();
    statuses.push(response.statusCode);
  }
  return statuses;
}

describe('no response contains SQL, a stack, a path or a message of a driver', () => {
  test('when a query fails with an unexpected error', async () => {
    await pool.query('alter table settings rename column value to other');
    await pool.query('alter table sessions rename to other_sessions');
    await pool.query(`select pg_notify('douku_changed', 'settings')`);
    await expect.poll(async () => (await app.inject('/')).statusCode).toBe(500);
    const statuses = await expectNoInternals();
    expect(statuses).toContain(500);
    await pool.query('alter table settings rename column other to value');
    await pool.query('alter table other_sessions rename to sessions');
  });

  test('when the database is unavailable, and pages and the API answer 503', async () => {
    const name = new URL(pool.options.connectionString ?? '').pathname.slice(1);
    const server = new pg.Client(inject('databaseUrl'));
    await server.connect();
    afterAll(() => server.end());
    await server.query(`alter database ${name} with allow_connections false`);
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await expect.poll(async () => (await app.inject('/')).statusCode).toBe(503);
    const statuses = await expectNoInternals();
    expect(new Set(statuses.filter((status) => status >= 500))).toEqual(new Set([503]));
    for (const url of ['/', '/document/1', '/category', '/nothing']) {
      const page = await app.inject(url);
      expect([url, page.statusCode]).toEqual([url, 503]);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.body).toMatch(/<h1[^>]*>服务暂时不可用，请稍后重试<\/h1>/);
    }
    await server.query(`alter database ${name} with allow_connections true`);
  });
});

describe('no response contains a message of S3 or OpenSearch, and requests that need the store are answered with 503', async () => {
  const s3 = await startMemoryS3();
  const SEARCH_URL = `http://127.0.0.1:${await findFreePort()}`;
  const env = { LOG_LEVEL: 'silent', STORAGE_URL: s3Url(s3.port), SEARCH_URL };
  const site = await testApp({ build: join(projectRoot, 'build'), env, runJobs: true });
  const headers = await site.as.root();
  const storageRequests: InjectOptions[] = [];
  beforeAll(async () => {
    const publisher = await newPublisher(site.ctx);
    const id = await publisher.publish(makePdf({ pages: 2 }), '.pdf');
    const { page } = (await site.app.inject(`/api/v1/document/pages?id=${id}`)).json();
    const avatar = async () => uploadRequest('avatar', await makePicture(), 'a.png', headers);
    const { path } = (await site.app.inject(await avatar())).json().data;
    const text = Buffer.from('一行文字');
    const upload = await site.app.inject(createUploadRequest(text.length, 'a.txt', headers));
    storageRequests.push(
      ...[page[0].url, path, `/api/v1/document/words?id=${id}&page=1`].map((url) => ({ url })),
      await avatar(),
      uploadRequest('document', text, 'a.txt', headers),
      uploadPartRequest(String(upload.headers.location), 0, text, headers),
      cancelUploadRequest(String(upload.headers.location), headers),
    );
  });

  test.each([
    [
      'S3 answers 500 with an XML error',
      { body: '<Error><Code>InternalError</Code><Message>disk 7 of storage.invalid</Message></Error>' },
    ],
    ['S3 answers 500 with a web page', { body: '<html><h1>storage.invalid<br></h1></html>' }],
    ['S3 resets the connection', 'reset' as const],
  ])('when %s', async (_, failure) => {
    s3.state.failure = failure;
    const statuses = await expectNoInternals(site.app, storageRequests);
    expect(statuses).toEqual(storageRequests.map(() => 503));
    const { body } = await site.app.inject(storageRequests[0] ?? '');
    expect(JSON.parse(body).message).toBe('文件存储暂时不可用，请稍后重试');
    await expectNoInternals(site.app);
    s3.state.failure = null;
    for (const request of storageRequests.slice(0, 3))
      expect([request.url, (await site.app.inject(request)).statusCode]).toEqual([request.url, 200]);
  });

  test('when OpenSearch refuses the connection', async () => {
    const searchRequests = ['/api/v1/document/search?wd=a', '/search?wd=a'].map((url) => ({ url }));
    expect(await expectNoInternals(site.app, searchRequests)).toEqual([503, 503]);
  });
});
