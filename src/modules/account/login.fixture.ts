import type { FastifyInstance } from 'fastify';
import { setSetting } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { createUser } from './account.ts';

export async function preparePasswordLogins({ app, ctx }: { app: Pick<FastifyInstance, 'inject'>; ctx: Context }) {
  await setSetting(ctx, 'security.enable_captcha_login', 'false');
  let accountCount = 0;
  return {
    createAccount: async () => {
      accountCount += 1;
      const username = `guest${accountCount}`;
      const { id } = await createUser(ctx, { username, password: 'right-password' });
      return { id, username };
    },
    login: (username: string, password: string, remoteAddress: string, extraInput = {}) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/user/login',
        remoteAddress,
        payload: { username, password, ...extraInput },
      }),
  };
}
