import { expect, it } from 'vitest';
import { allowsAnalytics } from '../analytics-pages.contract.ts';

it.each([
  ...['/', '/category/1', '/article/about', '/administration', '/loginhelp', '/search'],
  ...['/user/3', '/user/3/history', '/security'],
])('the public page %s is counted', (path) => {
  expect(allowsAnalytics(path)).toBe(true);
});
it.each([
  ...['/admin', '/admin/config', '/login', '/register', '/findpassword', '/login/'],
  ...['/user/3/security', '/user/3/security/'],
])('%s, where passwords are typed or the site is run, is never counted', (path) => {
  expect(allowsAnalytics(path)).toBe(false);
});
