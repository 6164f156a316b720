import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { documentApi, documentStatus } from '../document.contract.ts';
import { StateBanner } from './state-banner.tsx';

const REASON = '存储空间不足，有空间后自动继续转换';
const WAITING_TEXT = '文档正在排队，转换后即可阅读';
const waitingDocument = { id: 12, status: documentStatus.waiting };
const at = '2026-11-17T08:00:00.000Z';
const renderBanner = (convert_error: string, progress: Parameters<typeof replyTo<typeof documentApi.progress>>[1]) =>
  renderPage(
    <StateBanner
      document={fillZeroValues(documentApi.get.output, {
        ...waitingDocument,
        convert_error,
        encryption: 'none',
        user_id: 7,
        created_at: at,
        updated_at: at,
      })}
      onReadable={() => {}}
      failurePanel={() => '替换文件'}
    />,
    { user: testUser({ id: 7 }), replies: [replyTo(documentApi.progress, progress)] },
  );
const progressWith = (reason: string) =>
  fillZeroValues(documentApi.progress.output, { document: [{ ...waitingDocument, reason, encryption: 'none' }] });

it('the banner of a waiting document shows the reason why it waits', () => {
  renderBanner(REASON, failureWithoutMessage());
  screen.getByText(`${WAITING_TEXT}：${REASON}`);
  expect(screen.queryByText('替换文件')).toBeNull();
});

it('the banner of a waiting document shows a reason that the progress reports later', async () => {
  renderBanner('', progressWith(REASON));
  screen.getByText(WAITING_TEXT);
  await screen.findByText(`${WAITING_TEXT}：${REASON}`);
});

it('the banner of a waiting document removes its reason when the progress reports none', async () => {
  renderBanner(REASON, progressWith(''));
  await screen.findByText(WAITING_TEXT);
});
