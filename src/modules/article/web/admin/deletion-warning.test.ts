import { expect, it } from 'vitest';
import { deletionWarning } from './deletion-warning.ts';

const footer = {
  about: '/article/about',
  help: '/article/7',
  contact: 'https://elsewhere.example',
  feedback: '',
  copyright: '',
  agreement: '',
};
const articles = [
  { id: 3, identifier: 'about' },
  { id: 7, identifier: 'help' },
  { id: 9, identifier: 'news' },
];

it('the deletion warning names the footer links to the deleted articles', () => {
  expect(deletionWarning(footer, articles, [3, 7, 9])).toContain('“关于我们”、“使用帮助”');
});
it('the deletion warning names no footer link when the footer does not link to the article', () => {
  expect(deletionWarning(footer, articles, [9])).toBe('指向它的链接会失效。');
});
