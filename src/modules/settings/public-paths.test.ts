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
const open = (path: string, is_close = false) => isPublicPath(path, { footer, security: { is_close } });

it.each(['/login', '/login/', '/register', '/findpassword', '/article/agreement', '/article/about'])(
  '%s can be read before one has logged in',
  (path) => {
    expect(open(path)).toBe(true);
  },
);
it.each(['/', '', '/article', '/article/', '/article/contact', '/category/1', '/login/x', '/user/1'])(
  '“%s” cannot',
  (path) => {
    expect(open(path)).toBe(false);
  },
);
it('of a closed site only the way in can be seen', () => {
  expect([open('/login', true), open('/article/agreement', true)]).toEqual([true, false]);
});
