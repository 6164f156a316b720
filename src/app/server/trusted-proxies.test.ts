import { expect, test } from 'vitest';
import { newMember, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

async function listeningSite(trustedProxies: string) {
  const { app, ctx, pool } = await testApp({ env: { TRUSTED_PROXIES: trustedProxies } });
  await setSetting(ctx, 'security.enable_captcha_login', 'false');
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const login = (username: string, forwardedFor: string, password = TEST_PASSWORD) =>
    fetch(`${address}/api/v1/user/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': forwardedFor,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
      },
      body: JSON.stringify({ username, password }),
    });
  const recordedAddress = async (forwardedFor: string) => {
    const { id, username } = await newMember(ctx);
    const response = await login(username, forwardedFor);
    expect(response.status).toBe(200);
    const { rows } = await pool.query(
      'select u.last_login_ip, s.ip from users u join sessions s on s.user_id = u.id where u.id = $1 order by s.id desc limit 1',
      [id],
    );
    expect(rows[0].ip).toBe(rows[0].last_login_ip);
    return { ip: rows[0].ip, secure: response.headers.has('strict-transport-security') };
  };
  return { ctx, login, recordedAddress };
}

test('without TRUSTED_PROXIES the client address is the address of the socket, whatever headers a client sends', async () => {
  const { recordedAddress } = await listeningSite('');
  const socketAddress = { ip: '127.0.0.1', secure: false };
  expect(await recordedAddress('203.0.113.9')).toEqual(socketAddress);
  expect(await recordedAddress('10.0.0.1, 203.0.113.9')).toEqual(socketAddress);
});

test('headers of a proxy that is not in TRUSTED_PROXIES are ignored', async () => {
  const { recordedAddress } = await listeningSite('10.0.0.0/8,192.0.2.1');
  expect(await recordedAddress('203.0.113.9')).toEqual({ ip: '127.0.0.1', secure: false });
});

test('behind a trusted proxy the client address is the last untrusted address, and forged addresses before it are ignored', async () => {
  const { recordedAddress } = await listeningSite('127.0.0.1/32, 10.0.0.0/8');
  expect(await recordedAddress('203.0.113.9')).toEqual({ ip: '203.0.113.9', secure: true });
  expect(await recordedAddress('198.51.100.66, 203.0.113.9')).toMatchObject({ ip: '203.0.113.9' });
  expect(await recordedAddress('198.51.100.66, 203.0.113.9, 10.1.2.3')).toMatchObject({ ip: '203.0.113.9' });
  expect(await recordedAddress('2001:db8::7')).toMatchObject({ ip: '2001:db8::7' });
});

test('failed logins are counted by the address behind the proxy, which a forged header does not change', async () => {
  const { ctx, login } = await listeningSite('127.0.0.1');
  const { username } = await newMember(ctx);
  const statuses = [];
  for (let guess = 0; guess < 14; guess += 1)
    statuses.push((await login(username, `198.51.100.${guess}, 203.0.113.9`, 'wrong-one')).status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
  expect((await login(username, '203.0.113.9')).status).toBe(429);
  expect((await login(username, '203.0.113.10')).status).toBe(200);
});
