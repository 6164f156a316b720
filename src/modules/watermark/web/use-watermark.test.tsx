import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { watermarkApi } from '../watermark.contract.ts';
import { useWatermark } from './use-watermark.ts';

function Page({ isShown }: { isShown: boolean }) {
  const watermark = useWatermark({ documentId: 3, viewer: 12, isShown });
  return <main {...watermark}>正文</main>;
}

const open = (isShown: boolean) =>
  renderPage(<Page isShown={isShown} />, { replies: [replyTo(watermarkApi.get, { text: '张三 12' })] });

it('the mark of the viewer becomes the background over the page', async () => {
  const { api } = open(true);
  const page = screen.getByText('正文');
  await waitFor(() => expect(page.dataset.watermark).toBe(''));
  expect(decodeURIComponent(page.style.getPropertyValue('--watermark'))).toContain('张三 12');
  expect(api.inputsOf(watermarkApi.get)).toEqual([{ id: 3 }]);
});

it('a page without a watermark requests no text', () => {
  const { api } = open(false);
  expect(screen.getByText('正文').dataset.watermark).toBeUndefined();
  expect(api.inputsOf(watermarkApi.get)).toEqual([]);
});
