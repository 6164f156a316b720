import { screen } from '@testing-library/react';
import { it } from 'vitest';
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
