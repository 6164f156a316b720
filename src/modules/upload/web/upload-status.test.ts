import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { UploadStatus } from './upload-status.tsx';

const render = (percent: number | null, problem = '') =>
  renderToStaticMarkup(createElement(UploadStatus, { percent, problem }));
/** Text of the live region without the parts hidden from screen readers. */
const announcement = (html: string) =>
  html.replace(/<span aria-hidden="true">[^<]*<\/span>/g, '').replace(/<[^>]*>/g, '');

it('the upload status announces start, each quarter and end of an upload to screen readers', () => {
  const percents = Array.from({ length: 101 }, (_, percent) => percent);
  const announcements = new Set(percents.map((percent) => announcement(render(percent))));
  expect([...announcements]).toEqual([0, 25, 50, 75, 100].map((step) => `正在上传 ${step}%`));
});

it('the upload status shows each percent', () => {
  expect(render(37)).toContain('>正在上传 37%<');
});

it('the upload status announces the problem of a failed upload', () => {
  expect(render(null, '替换失败，请重试')).toMatch(/aria-live="polite"[^>]*>替换失败，请重试</);
});
