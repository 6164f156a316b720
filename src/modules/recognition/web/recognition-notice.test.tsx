import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { recognitionApi } from '../recognition.contract.ts';
import { RecognitionNotice } from './recognition-notice.tsx';

const open = (pages: number, recognizedPages: number, isPending: boolean) =>
  renderPage(<RecognitionNotice documentId={3} />, {
    replies: [replyTo(recognitionApi.progress, { pages, recognized: recognizedPages, pending: isPending })],
  });

it('the notice names the recognized and all scanned pages while recognition continues', async () => {
  open(300, 12, true);
  await screen.findByText(/正在识别扫描页的文字：12 \/ 300 页/);
});

it('the notice is not shown when all scanned pages are recognized', async () => {
  const { api } = open(300, 300, false);
  await waitFor(() => expect(api.inputsOf(recognitionApi.progress)).toEqual([{ id: 3 }]));
  expect(screen.queryByText(/正在识别/)).toBeNull();
});
