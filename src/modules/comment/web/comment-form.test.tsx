import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { userApi } from '#modules/account/account.contract.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { noCaptcha, numberedCaptchas } from '#testing/web/captcha-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { commentApi, commentErrors } from '../comment.contract.ts';
import { CommentForm } from './comment-form.tsx';
import { CommenterNames } from './mention-suggestions.tsx';

const at = '2026-11-17T08:00:00.000Z';
const createdComment = (status: number) =>
  fillZeroValues(commentApi.create.output, { id: 3, status, created_at: at, updated_at: at });
const account = replyTo(userApi.get, testUser());
const box = () => screen.getByLabelText<HTMLTextAreaElement>('请输入评论内容');
const submit = () => screen.getByRole('button', { name: '发表评论' });

it('the comment form cannot be submitted while blank and is cleared after the comment is published', async () => {
  const { userInput, api } = renderPage(<CommentForm documentId={12} />, {
    user: testUser(),
    replies: [noCaptcha, account, replyTo(commentApi.create, createdComment(1))],
  });
  expect(screen.queryByRole('button')).toBeNull();
  await userInput.click(box());
  expect(submit().hasAttribute('disabled')).toBe(true);
  await userInput.type(box(), '   ');
  expect(submit().hasAttribute('disabled')).toBe(true);
  await userInput.type(box(), '写得很清楚');
  await userInput.click(submit());
  await screen.findByText('评论成功');
  await waitFor(() => expect(box().value).toBe(''));
  expect(api.inputsOf(commentApi.create)).toEqual([{ document_id: 12, parent_id: 0, content: '写得很清楚' }]);
});

it('the comment form shows the error message, or 评论失败 without one, and keeps the text', async () => {
  const { userInput, api } = renderPage(<CommentForm documentId={12} />, {
    user: testUser(),
    replies: [noCaptcha, replyTo(commentApi.create, commentErrors.tooFast())],
  });
  await userInput.type(box(), '第二条');
  await userInput.click(submit());
  await screen.findByText('您的评论太快了，请稍后再试');
  expect(box().value).toBe('第二条');
  api.set(replyTo(commentApi.create, failureWithoutMessage()));
  await waitFor(() => expect(submit().hasAttribute('disabled')).toBe(false));
  await userInput.click(submit());
  await screen.findByText('评论失败');
  expect(box().value).toBe('第二条');
});

it('the comment form with a captcha requires the answer and loads a new picture after each attempt', async () => {
  const { userInput, api } = renderPage(<CommentForm documentId={12} />, {
    user: testUser(),
    settings: { security: { enable_captcha_comment: true } },
    replies: [numberedCaptchas(), account, replyTo(commentApi.create, createdComment(0))],
  });
  await userInput.type(box(), '又及');
  await screen.findByAltText('验证码图片');
  await userInput.click(submit());
  await screen.findByText('请输入验证码');
  expect(api.inputsOf(commentApi.create)).toEqual([]);
  await userInput.type(screen.getByLabelText('验证码'), '12345');
  await userInput.click(submit());
  await screen.findByText('评论已提交，审核通过后大家都能看到');
  await waitFor(() => expect(screen.getByAltText('验证码图片').getAttribute('src')).toBe('data:,2'));
  expect(api.inputsOf(commentApi.create)).toMatchObject([{ captcha: '12345', captcha_id: 'captcha-1' }]);
});

it('the comment form suggests other commenters after @, and a click completes the name at the caret', async () => {
  const { userInput } = renderPage(
    <CommenterNames value={['读者', '王作者', '王五', '李四']}>
      <CommentForm documentId={12} />
    </CommenterNames>,
    { user: testUser(), replies: [noCaptcha] },
  );
  await userInput.type(box(), '请教，@王');
  const names = screen.getByRole('list', { name: '可以提醒的人' });
  expect([...names.children].map(({ textContent }) => textContent)).toEqual(['@王作者', '@王五']);
  await userInput.click(screen.getByRole('button', { name: '@王作者' }));
  expect(box().value).toBe('请教，@王作者 ');
  expect(document.activeElement).toBe(box());
  await userInput.keyboard('第二节怎么理解？');
  expect(box().value).toBe('请教，@王作者 第二节怎么理解？');
});

it('the reply form gets focus, counts characters near the limit and closes on 取消', async () => {
  const onDone = vi.fn();
  const parent = { id: 3, username: '王作者' };
  const { userInput } = renderPage(<CommentForm documentId={12} parent={parent} onDone={onDone} />, {
    user: testUser(),
    replies: [noCaptcha],
  });
  const replyInput = screen.getByLabelText('回复 王作者');
  expect(document.activeElement).toBe(replyInput);
  await userInput.paste('好'.repeat(950));
  screen.getByText('已写 950 字，最多 1000 字。');
  await userInput.click(screen.getByRole('button', { name: '取消' }));
  expect(onDone).toHaveBeenCalledOnce();
});
