import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { decryptionErrors } from '#modules/conversion/decryption.contract.ts';
import { documentFileApi, documentFileErrors } from '#modules/document/document-file.contract.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { uploadApi, uploadErrors } from '../upload.contract.ts';
import { FailedFilePanel } from './failed-file-panel.tsx';

const DOCUMENT = { id: 12 };
const settings = { security: { document_allowed_ext: ['.pdf', '.txt'] } };
const password = () => screen.getByLabelText<HTMLInputElement>('文档密码');
const unlock = () => screen.getByRole('button', { name: '解锁' });

it('the panel of an encrypted document asks for the password, and keeps a wrong password focused in the field', async () => {
  const { userInput, fill, api } = renderPage(<FailedFilePanel document={DOCUMENT} encryption="unlockable" />, {
    user: testUser(),
    settings,
    replies: [],
  });
  screen.getByRole('region', { name: '加密的文件' });
  screen.getByText(/密码只用一次，不会保存/);
  await userInput.click(unlock());
  await screen.findByText('请输入文档密码');
  expect(api.inputsOf(documentFileApi.unlock)).toEqual([]);
  api.set(replyTo(documentFileApi.unlock, decryptionErrors.wrongPassword()));
  await userInput.type(password(), 'not this one');
  await userInput.click(unlock());
  await screen.findByText('密码不正确');
  expect(password().value).toBe('not this one');
  await waitFor(() => expect(document.activeElement).toBe(password()));
  api.set(replyTo(documentFileApi.unlock, failureWithoutMessage()));
  await userInput.keyboard('{Enter}');
  await screen.findByText('解锁失败，请重试');
  api.set(replyTo(documentFileApi.unlock, {}));
  await fill(password(), 'open-sesame');
  await userInput.keyboard('{Enter}');
  await screen.findByText('解锁成功');
  expect(api.inputsOf(documentFileApi.unlock).at(-1)).toEqual({ id: 12, password: 'open-sesame' });
});

it.each([
  ['none', '转换失败的文件', '请检查原文件，修复或另存后替换文件。'],
  ['unsupported', '加密的文件', '暂不支持解锁这种格式的文件，请去掉密码后替换文件。'],
] as const)(
  'the panel of a failed document with encryption %s is named %s, asks for no password and advises: %s',
  (encryption, name, advice) => {
    renderPage(<FailedFilePanel document={DOCUMENT} encryption={encryption} />, {
      user: testUser(),
      settings,
    });
    screen.getByRole('region', { name });
    screen.getByText(advice);
    expect(screen.queryByLabelText('文档密码')).toBeNull();
    screen.getByRole('button', { name: '替换文件' });
  },
);

it('the replacement of a failed file shows the error of the server, and the next file replaces it', async () => {
  // Files of this size are checked by hash first, so no bytes are sent.
  const file = new File([new Uint8Array(1024 * 1024)], '讲稿.pdf');
  const challenge = { id: 'a'.repeat(32), nonce: 'nonce', ranges: [[0, 16] as [number, number]] };
  const { userInput, api } = renderPage(<FailedFilePanel document={DOCUMENT} encryption="none" />, {
    user: testUser(),
    settings,
    replies: [replyTo(uploadApi.check, uploadErrors.notAllowed('不支持的文档类型：.exe'))],
  });
  const input = screen.getByLabelText<HTMLInputElement>('选择替换的文件');
  expect(input.accept).toBe('.pdf,.txt');
  await userInput.upload(input, file);
  await screen.findByText('不支持的文档类型：.exe');
  api.set(
    replyTo(uploadApi.check, { challenge }),
    replyTo(uploadApi.instant, { id: 34 }),
    replyTo(documentFileApi.replace, documentFileErrors.notFailed()),
  );
  await userInput.upload(input, file);
  await screen.findByText('只能替换转换失败的文档的文件');
  api.set(replyTo(documentFileApi.replace, {}));
  await userInput.upload(input, file);
  await screen.findByText('文件已替换');
  expect(screen.queryByText('只能替换转换失败的文档的文件')).toBeNull();
  expect(api.inputsOf(documentFileApi.replace).at(-1)).toEqual({ id: 12, attachment_id: 34 });
});
