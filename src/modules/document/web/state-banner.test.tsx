import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
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

const renderUnderReview = (progress: object) => {
  const onReadable = vi.fn();
  const row = { id: 12, status: documentStatus.underReview, encryption: 'none' };
  renderPage(
    <StateBanner
      document={fillZeroValues(documentApi.get.output, { ...row, user_id: 7, created_at: at, updated_at: at })}
      onReadable={onReadable}
      failurePanel={() => '替换文件'}
    />,
    {
      user: testUser({ id: 7 }),
      replies: [
        replyTo(
          documentApi.progress,
          fillZeroValues(documentApi.progress.output, { document: [{ ...row, ...progress }] }),
        ),
      ],
    },
  );
  return onReadable;
};

it('the banner of a document under review names a failed conversion and lets the owner replace the file', async () => {
  renderUnderReview({ conversion_state: 'failed', reason: '文档已损坏，无法打开' });
  await screen.findByText('文档正在等待审核，但文件转换失败：文档已损坏，无法打开');
  screen.getByText('替换文件');
});

it('the banner of a document under review stays, and its pages are loaded when the first is converted', async () => {
  const onReadable = renderUnderReview({ conversion_state: 'converted', pages: 3, ready_pages: 1 });
  await waitFor(() => expect(onReadable).toHaveBeenCalledOnce());
  screen.getByText('文档正在等待审核，通过后大家就能看到');
});

it('the banner of a waiting document removes its reason when the progress reports none', async () => {
  renderBanner(REASON, progressWith(''));
  await screen.findByText(WAITING_TEXT);
});
