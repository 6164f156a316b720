import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type CreditMovement, creditApi } from '../credit.contract.ts';
import { CreditList } from './credit-list.tsx';

const movement = (id: number, amount: number): CreditMovement => ({
  id,
  amount,
  balance: 10,
  reason: 'sign_in',
  reason_label: '签到奖励',
  reference: '',
  note: '',
  created_at: '2026-11-17T08:00:00.000Z',
});
const list = (page = 1) => <CreditList page={page} hrefOf={(to) => `/user/7/credit?page=${to}`} />;

it('the list of credit movements says that there are none yet, with the name of the credit', async () => {
  renderPage(list(), {
    user: testUser(),
    settings: { system: { credit_name: '金豆' } },
    replies: [replyTo(creditApi.list, { total: 0, credit: [] })],
  });
  await screen.findByText('还没有金豆的往来');
  screen.getByText('每日签到、分享文档都会得到奖励，往来都记在这里。');
});

it('the list of credit movements shows that loading failed, and loads when 重试 is pressed', async () => {
  const { userInput, api } = renderPage(list(), {
    user: testUser(),
    replies: [replyTo(creditApi.list, failureWithoutMessage())],
  });
  await screen.findByText('加载失败，请稍后重试');
  api.set(replyTo(creditApi.list, { total: 1, credit: [movement(1, 3)] }));
  await userInput.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('签到奖励');
  expect(screen.queryByText('加载失败，请稍后重试')).toBeNull();
});

it('the list of credit movements distinguishes gains from payments and leads to its other pages', async () => {
  const { userInput, api, address } = renderPage(list(2), {
    user: testUser(),
    replies: [replyTo(creditApi.list, { total: 41, credit: [movement(2, 5), movement(1, -2)] })],
  });
  await screen.findByText('+5');
  screen.getByText('−2');
  expect(screen.getAllByText('余额 10')).toHaveLength(2);
  const pages = within(screen.getByRole('navigation', { name: '分页' }));
  expect(pages.getByText('2').getAttribute('aria-current')).toBe('page');
  await userInput.click(pages.getByRole('link', { name: '下一页' }));
  await waitFor(() => expect(address()).toBe('/user/7/credit?page=3'));
  expect(api.inputsOf(creditApi.list)[0]).toMatchObject({ page: 2, size: 20 });
});
