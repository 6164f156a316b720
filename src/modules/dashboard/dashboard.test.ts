import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';

const { app, as } = await testApp();

test('an administrator sees the programs the site depends on, others see an empty list', async () => {
  const envsOf = async (headers: { authorization?: string }) =>
    (await app.inject({ url: '/api/v1/envs', headers })).json().envs;
  const [first] = await envsOf(await as.userWith(['ConfigAPI/GetEnvs']));
  expect(first).toMatchObject({ name: 'util-linux', is_installed: true, error: '' });
  expect(await envsOf(await as.user())).toEqual([]);
});
