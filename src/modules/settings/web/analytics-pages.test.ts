import { expect, it } from 'vitest';
import { allowsAnalytics } from '../analytics-pages.contract.ts';

it.each([
  ...['/', '/category/1', '/article/about', '/administration', '/loginhelp', '/search'],
  ...['/user/3', '/user/3/history', '/security'],
])('the analytics script may run on the public page %s', (path) => {
  expect(allowsAnalytics(path)).toBe(true);
});
it.each([
  ...['/admin', '/admin/config', '/login', '/register', '/findpassword', '/login/'],
  ...['/user/3/security', '/user/3/security/'],
])('the analytics script never runs on %s, which shows passwords or belongs to the back-office', (path) => {
  expect(allowsAnalytics(path)).toBe(false);
});
