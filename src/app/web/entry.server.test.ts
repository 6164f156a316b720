import type { EntryContext } from 'react-router';
import { expect, it, vi } from 'vitest';
import { FALLBACK_MESSAGE } from '#platform/web/fallback-boundary.tsx';
import handleRequest, { provideContext } from './entry.server.tsx';

const unrenderableContext = (errors: object | null) =>
  ({ staticHandlerContext: { errors, matches: [] } }) as unknown as EntryContext;
const report = vi.fn();
const context = provideContext({
  api: () => Promise.reject(new Error('unexpected API call')),
  nonce: 'n',
  report,
});
const request = new Request('http://site.invalid/');

it('handleRequest sends a plain fallback page with the status when the error page cannot be rendered', async () => {
  const response = await handleRequest(request, 500, new Headers(), unrenderableContext({ root: 1 }), context);
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain(FALLBACK_MESSAGE);
  expect(report).toHaveBeenCalledOnce();
});

it('handleRequest rejects when a page cannot be rendered, so that React Router renders the error page', async () => {
  await expect(handleRequest(request, 200, new Headers(), unrenderableContext(null), context)).rejects.toBeInstanceOf(
    Error,
  );
});
