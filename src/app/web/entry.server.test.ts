import type { EntryContext } from 'react-router';
import { expect, it, vi } from 'vitest';
import { FALLBACK_MESSAGE } from '#platform/web/fallback-boundary.tsx';
import handleRequest, { provideContext } from './entry.server.tsx';

/** A page that cannot be rendered: nothing of what React Router needs is there. */
const broken = (errors: object | null) =>
  ({ staticHandlerContext: { errors, matches: [] } }) as unknown as EntryContext;
const report = vi.fn();
const context = provideContext({
  api: () => Promise.reject(new Error('not asked')),
  nonce: 'n',
  report,
});
const request = new Request('http://site.invalid/');

it('when the server cannot render even the error page, a plain sentence with the status is sent', async () => {
  const response = await handleRequest(request, 500, new Headers(), broken({ root: 1 }), context);
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain(FALLBACK_MESSAGE);
  expect(report).toHaveBeenCalledOnce();
});

it('when a page cannot be rendered, the error page gets its turn', async () => {
  await expect(handleRequest(request, 200, new Headers(), broken(null), context)).rejects.toBeInstanceOf(Error);
});
