import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx } = await testApp({ build: join(projectRoot, 'build') });
const member = await newMember(ctx);
const locationOf = async (path: string) => {
  const { statusCode, headers } = await app.inject(path);
  return [statusCode, headers.location];
};

test('/redirect/{user} with a user id redirects to /user/{id}', async () => {
  expect(await locationOf(`/redirect/${member.id}`)).toEqual([302, `/user/${member.id}`]);
});

test('/redirect/{user} with a username redirects to /user/{id}', async () => {
  expect(await locationOf(`/redirect/${member.username}`)).toEqual([302, `/user/${member.id}`]);
});

test.each(['/redirect/no-such-user', '/redirect/%2F%2Fevil.example', '/redirect/0'])(
  '%s answers with the 404 page and does not redirect',
  async (path) => {
    const response = await app.inject(path);
    expect([response.statusCode, response.headers.location]).toEqual([404, undefined]);
    expect(response.body).toContain('This page could not be found');
  },
);
