import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { commentApi } from '../comment.contract.ts';
import { CommentThreads } from './comment-threads.tsx';

const time = '2026-11-17T08:00:00.000Z';
const commentList = (texts: string[], total = texts.length) =>
  fillZeroValues(commentApi.list.output, {
    total,
    comment: texts.map((content, at) => ({
      id: at + 1,
      status: 1,
      content,
      created_at: time,
      updated_at: time,
      user: { id: 9, username: '王作者' },
    })),
  });
const noComments = replyTo(commentApi.list, commentList([]));
const list = () => <CommentThreads documentId={12} linkedCommentId={0} />;

it('a document without comments invites a user to write the first one', async () => {
  renderPage(list(), { user: testUser(), replies: [noComments] });
  await screen.findByText('还没有评论，来说说读后的想法。');
  screen.getByLabelText('请输入评论内容');
});

it('a comment in Latin letters is set in a Latin font, and a Chinese one is not', async () => {
  renderPage(list(), { replies: [replyTo(commentApi.list, commentList(['I’d say it’s “good”.', '“很好”']))] });
  expect((await screen.findByText('I’d say it’s “good”.')).className).toContain('latin-text');
  expect(screen.getByText('“很好”').className).not.toContain('latin-text');
});

it('a visitor gets a login link in the comments that returns to the document', async () => {
  const { userInput, address } = renderPage(list(), { path: '/document/12', replies: [noComments] });
  await screen.findByText('还没有评论，来说说读后的想法。');
  expect(screen.queryByLabelText('请输入评论内容')).toBeNull();
  await userInput.click(screen.getByRole('link', { name: '登录' }));
  await waitFor(() => expect(address()).toBe('/login?redirect=%2Fdocument%2F12'));
});

it('comments that fail to load show an error and load on 重试', async () => {
  const { userInput, api } = renderPage(list(), {
    replies: [replyTo(commentApi.list, failureWithoutMessage())],
  });
  await screen.findByText('加载失败，请稍后重试');
  expect(screen.queryByText('还没有评论，来说说读后的想法。')).toBeNull();
  api.set(replyTo(commentApi.list, commentList(['欢迎讨论'])));
  await userInput.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('欢迎讨论');
});

it('comments load in the selected order, and 更多评论 loads the next page', async () => {
  const { userInput, api } = renderPage(list(), {
    replies: [replyTo(commentApi.list, ({ page, order }) => commentList([`${order} ${page} 甲`, '乙'], 21))],
  });
  await screen.findByText('id desc 1 甲');
  await userInput.click(screen.getByRole('button', { name: '最早' }));
  await screen.findByText('id asc 1 甲');
  expect(screen.getByRole('button', { name: '最早' }).getAttribute('aria-pressed')).toBe('true');
  api.set(replyTo(commentApi.list, commentList([], 21)));
  await userInput.click(screen.getByRole('button', { name: '更多评论' }));
  await waitFor(() => expect(api.inputsOf(commentApi.list).at(-1)).toMatchObject({ page: 2 }));
});

describe('the loading state of comments', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    return () => vi.useRealTimers();
  });
  const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const threadOf = (replyCount: number) => {
    const { comment, ...list } = commentList(['主评论']);
    return { ...list, comment: comment.map((root) => ({ ...root, comment_count: replyCount })) };
  };

  it('stays for at least 200 ms while replies load', async () => {
    renderPage(list(), {
      replies: [replyTo(commentApi.list, ({ root_id }) => (root_id ? commentList(['一条回复']) : threadOf(1)))],
    });
    await advance(250);
    fireEvent.click(screen.getByRole('button', { name: '展开其余 1 条回复' }));
    await advance(190);
    screen.getByRole('button', { name: '正在加载' });
    await advance(60);
    screen.getByText('一条回复');
    expect(screen.queryByRole('button', { name: '正在加载' })).toBeNull();
  });

  it('stays for at least 200 ms while the linked thread loads after the other comments', async () => {
    let answerLinkedThread = () => {};
    const linkedThread = new Promise<void>((resolve) => {
      answerLinkedThread = resolve;
    });
    const answer = async ({ thread_of }: { thread_of?: number }) => {
      if (thread_of) await linkedThread;
      return threadOf(0);
    };
    renderPage(<LinkSwitch />, { replies: [replyTo(commentApi.list, answer)] });
    await advance(250);
    fireEvent.click(screen.getByRole('button', { name: '打开链接' }));
    answerLinkedThread();
    await advance(190);
    expect(screen.queryByText('主评论')).toBeNull();
    await advance(60);
    screen.getByText('主评论');
  });
});

/** Follows a link to a comment of the displayed document. */
function LinkSwitch() {
  const [linkedCommentId, setLinkedCommentId] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setLinkedCommentId(1)}>
        打开链接
      </button>
      <CommentThreads documentId={12} linkedCommentId={linkedCommentId} />
    </>
  );
}
