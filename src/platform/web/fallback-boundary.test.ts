import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FALLBACK_MESSAGE, FallbackBoundary } from './fallback-boundary.tsx';

it('FallbackBoundary shows a sentence and a link to the home page when the error page fails', () => {
  const boundary = new FallbackBoundary({ children: 'the error page' });
  expect(boundary.render()).toBe('the error page');
  boundary.state = FallbackBoundary.getDerivedStateFromError();
  const html = renderToStaticMarkup(boundary.render());
  expect(html).toContain(FALLBACK_MESSAGE);
  expect(html).toContain('<a href="/">返回首页</a>');
});
