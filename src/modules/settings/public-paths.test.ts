import { expect, it } from 'vitest';
import { isPublicPath } from './public-paths.contract.ts';

const footer = {
  about: '/article/about',
  contact: 'https://other.example/article/contact',
  feedback: '',
  copyright: '/category/1',
  agreement: '/article/agreement',
  help: '/article/help',
};
const isPublic = (path: string, is_close = false) => isPublicPath(path, { footer, security: { is_close } });

it.each(['/login', '/login/', '/register', '/findpassword', '/article/agreement', '/article/about'])(
  '%s is public while the site requires a login',
  (path) => {
    expect(isPublic(path)).toBe(true);
  },
);
it.each(['/', '', '/article', '/article/', '/article/contact', '/category/1', '/login/x', '/user/1'])(
  '“%s” is not public while the site requires a login',
  (path) => {
    expect(isPublic(path)).toBe(false);
  },
);
it('only the login pages are public while the site is closed', () => {
  expect([isPublic('/login', true), isPublic('/article/agreement', true)]).toEqual([true, false]);
});
