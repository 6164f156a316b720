import { describe, expect, it } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

describe('the redirect after a login', () => {
  it('leads to the former page with its query', () => {
    expect(safeRedirect('/search?wd=%E8%B1%86#top')).toBe('/search?wd=%E8%B1%86#top');
  });
  it.each([
    null,
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    'javascript:alert(1)',
    '/login?redirect=/x',
    '/register',
    '/findpassword?token=x',
  ])('leads to the home page instead of %j', (requestedPath) => {
    expect(safeRedirect(requestedPath)).toBe('/');
  });
});
