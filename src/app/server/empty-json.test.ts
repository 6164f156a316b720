import { describe, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, as } = await testApp();
const operations = apiRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, upload }) => method !== 'GET' && !upload)
  .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, '1') }));

describe('a request that announces JSON and has no body', () => {
  test.each([
    { method: 'PUT', path: '/user/sign' },
    { method: 'PUT', path: '/document/reconvert' },
    { method: 'PUT', path: '/sitemap' },
    { method: 'DELETE', path: '/user/logout' },
    { method: 'DELETE', path: '/favorite/folder?id=1' },
  ] as const)('is read by $method $path as one without parameters', async ({ method, path }) => {
    const headers = { ...(await as.root()), 'content-type': 'application/json' };
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers });
    expect([200, 404], answer.body).toContain(answer.statusCode);
  });

  test.each(operations)('is never malformed for $method $path', async ({ method, path }) => {
    const headers = { ...(await as.root()), 'content-type': 'application/json' };
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers });
    expect(answer.statusCode, answer.body).toBeLessThan(500);
    if (answer.statusCode !== 200) expect(answer.json().code).not.toBe('http.badRequest');
  });
});
