import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { userApi } from '#modules/account/account.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { checkInApi, checkInErrors } from '../check-in.contract.ts';
import { CheckInButton } from './check-in-button.tsx';

const notCheckedIn = { id: 0, user_id: 7, ip: '', sign_at: 0, award: 0, created_at: null };
const checkedIn = { ...notCheckedIn, id: 5, sign_at: 20_261_117, award: 3 };
const button = () => screen.getByRole('button', { name: '每日签到' });

it('the check-in button shows the message of a failure, or 签到失败 without one, and can be pressed again', async () => {
  const { userInput, api } = renderPage(<CheckInButton />, {
    user: testUser(),
    replies: [
      replyTo(checkInApi.today, notCheckedIn),
      replyTo(checkInApi.sign, new AppError('signIn.paused', 503, '签到暂停一天')),
    ],
  });
  await userInput.click(button());
  await screen.findByText('签到暂停一天');
  api.set(replyTo(checkInApi.sign, failureWithoutMessage()));
  await waitFor(() => expect(button().hasAttribute('disabled')).toBe(false));
  await userInput.click(button());
  await screen.findByText('签到失败');
});

it('the check-in button shows the award, refreshes the account and is disabled for the day', async () => {
  let today = notCheckedIn;
  const { userInput, api } = renderPage(<CheckInButton />, {
    user: testUser(),
    replies: [
      replyTo(checkInApi.today, () => today),
      replyTo(checkInApi.sign, () => {
        today = checkedIn;
        return checkedIn;
      }),
      replyTo(userApi.get, testUser({ credit_count: 3 })),
    ],
  });
  await userInput.click(button());
  await screen.findByText('签到成功，获得 3 个二黄豆奖励');
  const disabledButton = await screen.findByRole('button', { name: '今日已签到' });
  expect(disabledButton.hasAttribute('disabled')).toBe(true);
  expect(api.inputsOf(userApi.get)).toHaveLength(1);
});

it('the check-in button shows 0 when there is no award', async () => {
  const { userInput } = renderPage(<CheckInButton />, {
    user: testUser(),
    replies: [
      replyTo(checkInApi.today, notCheckedIn),
      replyTo(checkInApi.sign, { ...checkedIn, award: 0 }),
      replyTo(userApi.get, testUser()),
    ],
  });
  await userInput.click(button());
  await screen.findByText('签到成功，获得 0 个二黄豆奖励');
});

it('the check-in button is disabled after a refusal because of a check-in on another device', async () => {
  let today = notCheckedIn;
  const { userInput } = renderPage(<CheckInButton />, {
    user: testUser(),
    replies: [
      replyTo(checkInApi.today, () => today),
      replyTo(checkInApi.sign, () => {
        today = checkedIn;
        return checkInErrors.signedToday();
      }),
    ],
  });
  await userInput.click(button());
  await screen.findByText('您今天已经签到过了');
  await screen.findByRole('button', { name: '今日已签到' });
});
