import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { documentApi, documentStatus } from '#modules/document/document.contract.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { UploadConversionStatus } from './upload-conversion-status.tsx';

it.each([
  ['the reason why it waits', '存储空间不足，有空间后自动继续转换', '，存储空间不足，有空间后自动继续转换'],
  ['待转换 without a reason', '', '，待转换'],
])('the upload of a waiting document shows %s', async (_, reason, text) => {
  const progress = fillZeroValues(documentApi.progress.output, {
    document: [{ id: 12, status: documentStatus.waiting, reason, encryption: 'none' }],
  });
  renderPage(<UploadConversionStatus id={12} isInstant={false} />, {
    user: testUser(),
    replies: [replyTo(documentApi.progress, progress)],
  });
  await screen.findByText(text);
  screen.getByText('上传成功');
});

it.each([
  ['待审核 while its file is converted', 'waiting', '', '，待审核'],
  ['that its file cannot be converted', 'failed', '文档已加密', '上传成功，等待审核，但转换失败：文档已加密'],
])('the upload of a document under review shows %s', async (_, conversion_state, reason, text) => {
  const progress = fillZeroValues(documentApi.progress.output, {
    document: [{ id: 12, status: documentStatus.underReview, conversion_state, reason, encryption: 'unlockable' }],
  });
  renderPage(<UploadConversionStatus id={12} isInstant={false} />, {
    user: testUser(),
    replies: [replyTo(documentApi.progress, progress)],
  });
  await screen.findByText(text);
  expect(screen.queryByRole('link', { name: '解锁或替换文件' }) === null).toBe(conversion_state !== 'failed');
});
