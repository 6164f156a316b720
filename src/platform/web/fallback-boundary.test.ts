import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FALLBACK_MESSAGE, FallbackBoundary } from './fallback-boundary.tsx';

it('when the error page itself fails, a plain sentence and the way home are left', () => {
  const boundary = new FallbackBoundary({ children: 'the error page' });
  expect(boundary.render()).toBe('the error page');
  boundary.state = FallbackBoundary.getDerivedStateFromError();
  const left = renderToStaticMarkup(boundary.render());
  expect(left).toContain(FALLBACK_MESSAGE);
  expect(left).toContain('<a href="/">返回首页</a>');
});
