import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { followApi } from '../follow.contract.ts';
import { FollowList, type FollowListOutput } from './follow-list.tsx';

const people = (hiddenCount: number, ...names: string[]): FollowListOutput =>
  fillZeroValues(followApi.list.output, {
    total: names.length,
    hidden: hiddenCount,
    user: names.map((username, at) => ({
      id: at + 1,
      username,
      created_at: '2026-03-01T08:00:00.000Z',
      followed_at: '2026-03-01T08:00:00.000Z',
    })),
  });
const open = (reply: FollowListOutput, type: 'fans' | 'follow' = 'fans') =>
  renderPage(<FollowList userId={9} type={type} page={1} hrefOf={(page) => `/user/9/fans?page=${page}`} />, {
    replies: [replyTo(followApi.list, reply)],
  });

it('the list of fans shows the number of hidden fans', async () => {
  const { api } = open(people(3, '甲', '乙'));
  await screen.findByText('另有 3 位粉丝没有公开关注的人');
  expect(screen.getByRole('list', { name: '粉丝' }).children).toHaveLength(2);
  expect(api.inputsOf(followApi.list)).toMatchObject([{ user_id: 9, type: 'fans' }]);
});

it('the list of fans does not mention hidden fans when there are none', async () => {
  open(people(0, '甲'));
  await screen.findByRole('link', { name: '甲' });
  expect(screen.queryByText(/没有公开关注的人/)).toBeNull();
});

it('the list of fans shows the number of hidden fans instead of 还没有粉丝 when all are hidden', async () => {
  open(people(2));
  await screen.findByText('2 位粉丝没有公开关注的人');
  expect(screen.queryByText('还没有粉丝')).toBeNull();
});

it('the list of fans shows 还没有粉丝 when there are none', async () => {
  open(people(0));
  await screen.findByText('还没有粉丝');
});
