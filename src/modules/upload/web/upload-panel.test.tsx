import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fileErrors } from '#modules/attachment/attachment.contract.ts';
import { categoryApi } from '#modules/category/category.contract.ts';
import { documentApi } from '#modules/document/document.contract.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { type ApiReply, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { uploadApi } from '../upload.contract.ts';
import { UploadPanel } from './upload-panel.tsx';

const at = '2026-11-17T08:00:00.000Z';
const { category: categories } = fillZeroValues(categoryApi.list.output, {
  category: [{ id: 1, title: '教育考试', enable: true, created_at: at, updated_at: at }],
});
const settings = {
  security: { document_allowed_ext: ['.txt', '.pdf'], max_document_size: 1 },
  system: { credit_name: '豆' },
};
const file = (name: string, bytes = 5) => new File([new Uint8Array(bytes)], name);
const NearCopies = ({ attachmentId }: { attachmentId: number }) => <p>{`相近的文档，附件 ${attachmentId}`}</p>;
const renderPanel = () =>
  renderPage(<UploadPanel NearCopies={NearCopies} />, { user: testUser(), settings, categories });
const chooser = () => screen.getByLabelText<HTMLInputElement>('选择文件', { selector: 'input' });
const submit = () => screen.getByRole('button', { name: '确定上传' });

it('the upload panel reports files that it cannot accept and lists the others', async () => {
  const { userInput } = renderPanel();
  expect(submit().hasAttribute('disabled')).toBe(true);
  // A file that is dropped on the page is not limited by `accept`.
  chooser().accept = '';
  await userInput.upload(chooser(), [
    file('游记.txt'),
    file('程序.exe'),
    file('空白.pdf', 0),
    file('巨著.pdf', 1024 * 1024 + 1),
  ]);
  await screen.findByText(/程序\.exe 不支持的文件格式，忽略该文件/);
  screen.getByText(/空白\.pdf 是空文件，忽略该文件/);
  screen.getByText(/巨著\.pdf/);
  expect(screen.getByLabelText<HTMLInputElement>('游记.txt 的标题').value).toBe('游记');
  expect(screen.queryByLabelText('程序.exe 的标题')).toBeNull();
  await userInput.click(screen.getByRole('button', { name: '移除 游记' }));
  expect(screen.queryByRole('region', { name: '上传列表' })).toBeNull();
});

it('the upload panel reports a missing category and focuses its field', async () => {
  const { userInput } = renderPanel();
  await userInput.upload(chooser(), [file('第0卷.txt'), file('第1卷.txt')]);
  await userInput.click(submit());
  const category = screen.getByLabelText('文档分类');
  await waitFor(() => expect(document.activeElement).toBe(category));
  expect(category.getAttribute('aria-invalid')).toBe('true');
  // Shown at the field and as a notice; the first option of the field has the same text.
  expect(screen.getAllByText('请选择文档分类', { selector: 'p' })).toHaveLength(2);
  await userInput.selectOptions(category, '教育考试');
  expect(category.getAttribute('aria-invalid')).toBeNull();
});

it('the upload panel reports an invalid price and a missing title at the row and focuses the field', async () => {
  const { userInput, fill } = renderPanel();
  await userInput.upload(chooser(), [file('第0卷.txt'), file('第1卷.txt')]);
  await userInput.selectOptions(screen.getByLabelText('文档分类'), '教育考试');
  const price = screen.getByLabelText<HTMLInputElement>('第1卷.txt 的售价');
  await fill(price, '-5');
  await screen.findByText('售价不正确，请输入 0 到 1000000 之间的整数');
  await userInput.click(submit());
  await screen.findByText('第1卷.txt：售价不正确，请输入 0 到 1000000 之间的整数');
  expect([document.activeElement, price.value]).toEqual([price, '-5']);
  await fill(price, '5');
  const title = screen.getByLabelText('第0卷.txt 的标题');
  await userInput.clear(title);
  await userInput.click(submit());
  await waitFor(() => expect(document.activeElement).toBe(title));
  expect(title.getAttribute('aria-invalid')).toBe('true');
});

it('the default price applies to files that are added later, and an invalid price keeps the last valid one', async () => {
  const { userInput, fill } = renderPanel();
  const price = screen.getByLabelText('默认售价（豆）');
  await fill(price, '3');
  await fill(price, '3x');
  await screen.findByText(/目前仍按 3 计/);
  await userInput.upload(chooser(), [file('第0卷.txt')]);
  expect(screen.getByLabelText<HTMLInputElement>('第0卷.txt 的售价').value).toBe('3');
});

const MB = 1024 * 1024;
const firstByte: [number, number] = [0, 1];
const challenge = { id: 'a'.repeat(32), nonce: 'n', ranges: [firstByte] };

/** Submits three files that the site already has; `continueCheck` answers the check of a file. */
async function submitThreeFiles() {
  const checks = new Map<string, PromiseWithResolvers<void>>();
  const page = renderPage(<UploadPanel NearCopies={NearCopies} />, {
    user: testUser(),
    settings: { ...settings, security: { ...settings.security, max_document_size: 2 } },
    categories,
    replies: [
      replyTo(uploadApi.check, async ({ name }) => {
        const check = Promise.withResolvers<void>();
        checks.set(name, check);
        await check.promise;
        return { challenge };
      }),
      replyTo(uploadApi.instant, { id: 8 }),
      replyTo(documentApi.progress, { document: [] }),
      replyTo(documentApi.create, ({ document }) => ({
        document: document.map(({ title }) => ({ id: 31, uuid: '', title, status: 0, same: [] })),
      })),
    ],
  });
  const names = ['甲.txt', '乙.txt', '丙.txt'];
  await page.userInput.upload(
    chooser(),
    names.map((name) => file(name, MB)),
  );
  await page.userInput.selectOptions(screen.getByLabelText('文档分类'), '教育考试');
  await page.userInput.click(submit());
  const waitForCheck = (name: string) => waitFor(() => expect([...checks.keys()]).toContain(name));
  await waitForCheck('乙.txt');
  return { ...page, checks, waitForCheck };
}
describe('the upload panel with several files', () => {
  const statesOf = () =>
    screen.getAllByRole('listitem').map(({ textContent }) => /等待上传|正在校验|已暂停/.exec(textContent)?.[0]);

  it('sends two at a time, and the next one when one is paused or removed', async () => {
    const { userInput, checks, waitForCheck } = await submitThreeFiles();
    expect(statesOf()).toEqual(['正在校验', '正在校验', '等待上传']);
    expect([...checks.keys()]).toEqual(['甲.txt', '乙.txt']);
    await userInput.click(screen.getByRole('button', { name: '暂停 甲' }));
    await waitForCheck('丙.txt');
    expect(statesOf()).toEqual(['已暂停', '正在校验', '正在校验']);
    await userInput.click(screen.getByRole('button', { name: '继续 甲' }));
    expect(statesOf()).toEqual(['等待上传', '正在校验', '正在校验']);
    checks.delete('甲.txt');
    await userInput.click(screen.getByRole('button', { name: '移除 乙' }));
    await waitForCheck('甲.txt');
    expect(statesOf()).toEqual(['正在校验', '正在校验']);
  });

  it('creates a document for each file with the title and price of its row', async () => {
    const { api, checks, waitForCheck } = await submitThreeFiles();
    for (const name of ['甲.txt', '乙.txt', '丙.txt']) {
      await waitForCheck(name);
      checks.get(name)?.resolve();
    }
    await screen.findByText('已完成 3 / 3，共 100%');
    expect(screen.queryByText(/相近的文档/)).toBeNull();
    const inputs = api.inputsOf(documentApi.create);
    expect(new Set(inputs.map(({ document }) => document[0]?.title))).toEqual(new Set(['甲', '乙', '丙']));
    expect(inputs[0]).toMatchObject({ category_id: [1], document: [{ price: 0, attachment_id: 8 }] });
  });
});

describe('the upload panel before the submission', () => {
  const renderWithStoredFile = ({ replies }: { replies: ApiReply[] }) =>
    renderPage(<UploadPanel NearCopies={NearCopies} />, {
      user: testUser(),
      settings: { ...settings, security: { ...settings.security, max_document_size: 2 } },
      categories,
      replies: [replyTo(uploadApi.check, { challenge }), replyTo(uploadApi.instant, { id: 8 }), ...replies],
    });

  it('sends a chosen file and shows its near-copies, and creates its document only after the submission', async () => {
    const { userInput, fill, api } = renderWithStoredFile({
      replies: [
        replyTo(documentApi.progress, { document: [] }),
        replyTo(documentApi.create, { document: [{ id: 31, uuid: '', title: '乙', status: 0, same: [] }] }),
      ],
    });
    await userInput.upload(chooser(), [file('甲.txt', MB)]);
    await screen.findByText('待发布');
    screen.getByText('已完成 0 / 1，共 99%');
    screen.getByText('相近的文档，附件 8');
    expect(api.inputsOf(documentApi.create)).toEqual([]);
    await fill(screen.getByLabelText('甲.txt 的标题'), '乙');
    await userInput.selectOptions(screen.getByLabelText('文档分类'), '教育考试');
    expect(api.inputsOf(documentApi.create)).toEqual([]);
    await userInput.click(submit());
    await screen.findByText('已完成 1 / 1，共 100%');
    expect(api.inputsOf(documentApi.create)).toMatchObject([
      { category_id: [1], document: [{ title: '乙', attachment_id: 8 }] },
    ]);
  });

  it('deletes the sent file of a row that is removed', async () => {
    const { userInput, api } = renderWithStoredFile({ replies: [replyTo(uploadApi.remove, {})] });
    await userInput.upload(chooser(), [file('甲.txt', MB)]);
    await screen.findByText('待发布');
    await userInput.click(screen.getByRole('button', { name: '移除 甲' }));
    await waitFor(() => expect(api.inputsOf(uploadApi.remove)).toEqual([{ id: 8 }]));
    expect(screen.queryByRole('region', { name: '上传列表' })).toBeNull();
  });

  it('shows why the server refuses a file, and sends it again on demand without a category', async () => {
    const refusal = fileErrors.quotaReached('您上传的文件已达到 1 MB 的上限');
    let isRefused = true;
    const { userInput } = renderWithStoredFile({
      replies: [replyTo(uploadApi.instant, () => (isRefused ? refusal : { id: 8 }))],
    });
    await userInput.upload(chooser(), [file('甲.txt', MB)]);
    await screen.findByText('您上传的文件已达到 1 MB 的上限');
    expect(submit().hasAttribute('disabled')).toBe(true);
    isRefused = false;
    await userInput.click(screen.getByRole('button', { name: '重试 甲' }));
    await screen.findByText('待发布');
    expect(screen.queryByText('您上传的文件已达到 1 MB 的上限')).toBeNull();
  });
});
