import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { AppError } from '#platform/contract/errors.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { archiveApi, archiveErrors } from '../../archive/archive.contract.ts';
import { uploadErrors } from '../../upload.contract.ts';
import { newArchiveItem, type UploadItem } from '../upload-item.ts';
import { ArchiveUploads } from './archive-uploads.tsx';
import { forgetArchive, rememberArchive } from './stored-archives.ts';
import { unpackSentArchive } from './unpack-sent-archive.ts';
import { useArchives } from './use-archives.ts';

const UPLOAD_ID = '0'.repeat(32);
const user = testUser({ id: 7 });
const entry = [{ index: 0, path: '教案.txt', size: 12, problem: null }];

afterEach(() => forgetArchive(UPLOAD_ID));

function openPanelWithSentArchive(reply: () => AppError) {
  rememberArchive({ userId: user.id, uploadId: UPLOAD_ID, name: '资料.zip', size: 100, isSent: true });
  return renderPage(<Archives />, { user, replies: [replyTo(archiveApi.unpack, reply)] });
}

const Archives = () => <ArchiveUploads archives={useArchives(user.id)} items={[]} price="0" onItems={() => {}} />;

it('an archive that the storage cannot give back shows the failure, and 重试 unpacks it', async () => {
  const { userInput, api } = openPanelWithSentArchive(() => uploadErrors.storageFailed());
  expect((await screen.findByRole('alert')).textContent).toBe('存储暂时不可用，请稍后重试');
  api.set(replyTo(archiveApi.unpack, { entry }));
  await userInput.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('教案.txt');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('an archive that cannot be opened shows the reason without 重试', async () => {
  openPanelWithSentArchive(() => archiveErrors.rejected('压缩包已加密，请在本机解开后上传'));
  expect((await screen.findByRole('alert')).textContent).toBe('压缩包已加密，请在本机解开后上传');
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull();
});

it('an archive waits while the server unpacks others', async () => {
  const { api } = renderPage(<p>等候</p>, { user });
  let calls = 0;
  api.set(
    replyTo(archiveApi.unpack, () => {
      calls += 1;
      return calls < 12 ? (calls % 2 === 0 ? archiveErrors.queued() : archiveErrors.busy()) : { entry };
    }),
  );
  const { signal } = new AbortController();
  expect(await unpackSentArchive(UPLOAD_ID, signal, 0)).toEqual(entry);
});

const archiveFile = new File([new Uint8Array(100)], '资料.zip');

function ArchivesWithChooser({ items = [] }: { items?: UploadItem[] }) {
  const archives = useArchives(user.id);
  const [problems, setProblems] = useState<string[]>([]);
  return (
    <>
      <button type="button" onClick={() => setProblems(archives.add([archiveFile, archiveFile], items))}>
        选择
      </button>
      <output>{problems.join()}</output>
      <ArchiveUploads archives={archives} items={items} price="0" onItems={() => {}} />
    </>
  );
}

it('an archive that is listed already is not sent again', async () => {
  rememberArchive({ userId: user.id, uploadId: UPLOAD_ID, name: '资料.zip', size: 100, isSent: true });
  const { userInput } = renderPage(<ArchivesWithChooser />, { user, replies: [replyTo(archiveApi.unpack, { entry })] });
  await screen.findByText('教案.txt');
  await userInput.click(screen.getByRole('button', { name: '选择' }));
  await screen.findByText('资料.zip 已在列表中');
  expect(screen.getAllByRole('region', { name: '压缩包 资料.zip' })).toHaveLength(1);
});

it('an archive whose documents are in the upload list can be chosen again, and is sent once', async () => {
  rememberArchive({ userId: user.id, uploadId: UPLOAD_ID, name: '资料.zip', size: 100, isSent: true });
  const archive = { uploadId: UPLOAD_ID, index: 0, size: 10 };
  const items = [newArchiveItem({ name: '教案.txt', archive, categoryId: 0 }, '0', 0)];
  const { userInput } = renderPage(<ArchivesWithChooser items={items} />, {
    user,
    replies: [replyTo(archiveApi.unpack, { entry })],
  });
  expect(screen.queryByRole('region')).toBeNull();
  await userInput.click(screen.getByRole('button', { name: '选择' }));
  await screen.findByRole('region', { name: '压缩包 资料.zip' });
  expect(screen.getAllByRole('region')).toHaveLength(1);
  expect(screen.queryByText('资料.zip 已在列表中')).toBeNull();
});
