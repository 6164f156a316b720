import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { watermarkApi } from '../watermark.contract.ts';
import { Watermark } from './watermark.tsx';

const open = (text: string) =>
  renderPage(<Watermark documentId={3} viewer={12} />, { replies: [replyTo(watermarkApi.get, { text })] });
const findMark = () => document.querySelector<HTMLElement>('.reader-watermark');

it('the mark of the viewer becomes a repeated background that screen readers ignore', async () => {
  const { api } = open('张三 12');
  await waitFor(() => expect(findMark()).not.toBeNull());
  const mark = findMark();
  expect(decodeURIComponent(mark?.style.backgroundImage ?? '')).toContain('张三 12');
  expect(mark?.ariaHidden ?? mark?.getAttribute('aria-hidden')).toBe('true');
  expect(api.inputsOf(watermarkApi.get)).toEqual([{ id: 3 }]);
});

it('nothing is shown for an empty text', async () => {
  const { api } = open('');
  await waitFor(() => expect(api.inputsOf(watermarkApi.get)).toEqual([{ id: 3 }]));
  expect(findMark()).toBeNull();
});
