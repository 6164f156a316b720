import { describe, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, as } = await testApp();
const operations = apiRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, upload }) => method !== 'GET' && !upload)
  .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, '1') }));

describe('a request with the content type JSON and no body', () => {
  test.each([
    { method: 'PUT', path: '/user/sign' },
    { method: 'PUT', path: '/document/reconvert' },
    { method: 'PUT', path: '/sitemap' },
    { method: 'DELETE', path: '/user/logout' },
    { method: 'DELETE', path: '/favorite/folder?id=1' },
  ] as const)('is accepted by $method $path as a request without parameters', async ({ method, path }) => {
    const headers = { ...(await as.root()), 'content-type': 'application/json' };
    const response = await app.inject({ method, url: `/api/v1${path}`, headers });
    expect([200, 404], response.body).toContain(response.statusCode);
  });

  test.each(operations)('is not rejected as malformed by $method $path', async ({ method, path }) => {
    const headers = { ...(await as.root()), 'content-type': 'application/json' };
    const response = await app.inject({ method, url: `/api/v1${path}`, headers });
    expect(response.statusCode, response.body).toBeLessThan(500);
    if (response.statusCode !== 200) expect(response.json().code).not.toBe('http.badRequest');
  });
});
