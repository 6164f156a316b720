import { expect, it } from 'vitest';
import { removalWarning } from './removal-warning.ts';

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

it('names the links of the footer that lead to the pages to be deleted', () => {
  expect(removalWarning(footer, articles, [3, 7, 9])).toContain('“关于我们”、“使用帮助”');
});
it('says only that links break when the footer does not lead to the page', () => {
  expect(removalWarning(footer, articles, [9])).toBe('指向它的链接会失效。');
});
