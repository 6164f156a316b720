import { expect, onTestFinished, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { testApp } from '#testing/test-app.ts';
import { preparePasswordLogins } from './login.fixture.ts';
import { argon2Costs } from './password.ts';

const site = await testApp();
const { clock } = site;
const { createAccount, login } = await preparePasswordLogins(site);

const SAMPLE_COUNT = 60;
test('the answer and the processor time of a login do not reveal whether the account exists', async () => {
  const measure = async (name: string, at: number) => {
    const before = processCpuMs();
    const answer = await login(name, 'wrong-password', `192.0.2.${at}`);
    expect([answer.statusCode, answer.json().message]).toEqual([400, '用户名或密码错误']);
    return processCpuMs() - before;
  };
  // The production costs, with which the password check dominates the time of a login.
  const cheapCosts = { ...argon2Costs };
  Object.assign(argon2Costs, { memoryCost: 19_456, timeCost: 2 });
  onTestFinished(() => void Object.assign(argon2Costs, cheapCosts));
  const { username } = await createAccount();
  const knownNameTimes: number[] = [];
  const unknownNameTimes: number[] = [];
  for (let sample = 0; sample < SAMPLE_COUNT; sample += 1) {
    knownNameTimes.push(await measure(username, sample % 250));
    unknownNameTimes.push(await measure(`unknown${sample}`, sample % 250));
    if (sample % 8 === 7) clock.now = new Date(clock.now.getTime() + 16 * 60_000);
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  expect(Math.abs(median(knownNameTimes) - median(unknownNameTimes))).toBeLessThan(10);
});
