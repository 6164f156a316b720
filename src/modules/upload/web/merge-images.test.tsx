import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { categoryApi } from '#modules/category/category.contract.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { UploadPanel } from './upload-panel.tsx';

const at = '2026-11-17T08:00:00.000Z';
const { category: categories } = fillZeroValues(categoryApi.list.output, {
  category: [{ id: 1, title: '教育考试', enable: true, created_at: at, updated_at: at }],
});
const image = (name: string, bytes = 5) => new File([new Uint8Array(bytes)], name);

async function chooseImages(names: string[], { extensions = [] as string[], bytes = 5 } = {}) {
  const page = renderPage(<UploadPanel NearCopies={() => null} />, {
    user: testUser(),
    settings: { security: { document_allowed_ext: extensions, max_document_size: 1 } },
    categories,
  });
  const chooser = screen.getByLabelText<HTMLInputElement>('选择文件', { selector: 'input' });
  chooser.accept = '';
  await page.userInput.upload(
    chooser,
    names.map((name) => image(name, bytes)),
  );
  return page;
}

const offer = () => screen.queryByRole('button', { name: '合并为一个文档' });
const pageNames = () =>
  within(screen.getByRole('list', { name: '页序' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.replace(/^\d+/, ''));
const names = ['第10页.jpg', '第2页.png', '第1页.jpg'];

it('several images stay separate documents, and can be merged in the natural order of their names', async () => {
  const { userInput, fill } = await chooseImages(names);
  expect(screen.getByLabelText('第2页.png 的标题')).toBeDefined();
  await userInput.click(offer() as HTMLElement);
  expect(pageNames()).toEqual(['第1页.jpg', '第2页.png', '第10页.jpg']);
  await fill(screen.getByLabelText('合并后的标题'), '会议记录');
  await userInput.click(screen.getByRole('button', { name: '合并' }));
  await screen.findByLabelText('会议记录.cbz 的标题');
  expect(screen.queryByLabelText('第2页.png 的标题')).toBeNull();
  expect(offer()).toBeNull();
});

it('the order of the pages is changed with buttons, which keep the focus, and by dragging', async () => {
  const { userInput } = await chooseImages(names);
  await userInput.click(offer() as HTMLElement);
  const button = screen.getByRole('button', { name: '下移 第1页.jpg' });
  await userInput.click(button);
  expect(pageNames()).toEqual(['第2页.png', '第1页.jpg', '第10页.jpg']);
  await waitFor(() => expect(document.activeElement).toBe(button));
  await userInput.keyboard('{Enter}');
  expect(pageNames()).toEqual(['第2页.png', '第10页.jpg', '第1页.jpg']);
  // The button is disabled at the end of the list.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '上移 第1页.jpg' })));
  const rows = within(screen.getByRole('list', { name: '页序' })).getAllByRole('listitem');
  const dataTransfer = { effectAllowed: '', setData: () => {} };
  fireEvent.dragStart(rows[2] as HTMLElement, { dataTransfer });
  fireEvent.dragOver(rows[0] as HTMLElement, { dataTransfer });
  fireEvent.drop(rows[0] as HTMLElement, { dataTransfer });
  expect(pageNames()).toEqual(['第1页.jpg', '第2页.png', '第10页.jpg']);
});

it('images that are too large together, or without a title, cannot be merged', async () => {
  const { userInput } = await chooseImages(names, { bytes: 400 * 1024 });
  await userInput.click(offer() as HTMLElement);
  screen.getByText('合并后超过最大允许的 1 MB，请分成几份');
  expect(screen.getByRole('button', { name: '合并' }).hasAttribute('disabled')).toBe(true);
  await userInput.clear(screen.getByLabelText('合并后的标题'));
  screen.getByText('请输入标题');
  await userInput.click(screen.getByRole('button', { name: '取消' }));
  expect(offer()).not.toBeNull();
});

it('one image beside other documents has no offer to merge', async () => {
  await chooseImages(['一.jpg', '说明.pdf']);
  expect(offer()).toBeNull();
});

it('photographs of phones in HEIC are merged like other images', async () => {
  const { userInput } = await chooseImages(['甲.jpg', '乙.HEIC', '说明.pdf']);
  await userInput.click(offer() as HTMLElement);
  expect(pageNames()).toEqual(['甲.jpg', '乙.HEIC']);
});

it('a site that does not accept CBZ has no offer to merge', async () => {
  await chooseImages(names, { extensions: ['.jpg', '.png'] });
  expect(offer()).toBeNull();
});

it('an image that is moved out of the merge stays a document of its own', async () => {
  const { userInput, fill } = await chooseImages(names);
  await userInput.click(offer() as HTMLElement);
  await userInput.click(screen.getByRole('button', { name: '移出 第2页.png' }));
  expect(pageNames()).toEqual(['第1页.jpg', '第10页.jpg']);
  // One image alone is not merged.
  expect(screen.getByRole('button', { name: '移出 第1页.jpg' }).hasAttribute('disabled')).toBe(true);
  await fill(screen.getByLabelText('合并后的标题'), '会议记录');
  await userInput.click(screen.getByRole('button', { name: '合并' }));
  await screen.findByLabelText('会议记录.cbz 的标题');
  expect(screen.getByLabelText('第2页.png 的标题')).toBeDefined();
  expect(screen.queryByLabelText('第1页.jpg 的标题')).toBeNull();
});
