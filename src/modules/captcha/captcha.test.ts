import { scrypt } from '@noble/hashes/scrypt.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { checkCaptcha } from './captcha.ts';
import { createQuestion, drawCaptcha } from './draw-captcha.ts';
import { hasLeadingZeroBits, SCRYPT_PARAMETERS } from './proof-of-work.contract.ts';
import { isValidProof } from './proof-of-work.ts';

const { app, ctx, clock, pool } = await testApp();

const get = async (type: string) => (await app.inject(`/api/v1/user/captcha?type=${type}`)).json();
async function solve(id: string, purpose: string): Promise<string> {
  const { rows } = await pool.query('select answer_hash from captchas where id = $1', [id]);
  const { createHash } = await import('node:crypto');
  for (let number = 0; number < 100_000; number += 1) {
    const answer = String(number).padStart(5, '0');
    const hash = createHash('sha256').update(`${purpose}\n${id}\n${answer}`).digest();
    if (hash.equals(rows[0].answer_hash)) return answer;
  }
  throw new Error('no answer');
}

test('a captcha is a PNG image, and the reply does not contain its answer', async () => {
  const { enable, id, captcha, type } = await get('login');
  expect([enable, type]).toEqual([true, 'digit']);
  const answer = await solve(id, 'login');
  expect(captcha).toMatch(/^data:image\/png;base64,/);
  const bytes = Buffer.from(captcha.split(',')[1], 'base64');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 240, height: 60 });
  expect(bytes.includes(answer)).toBe(false);
});

test('rejects a captcha for an unknown purpose with 400', async () => {
  const answer = await app.inject('/api/v1/user/captcha?type=other');
  expect([answer.statusCode, answer.json().message]).toEqual([400, '不支持的验证码类型']);
});

test('a captcha is valid once, for its purpose and for five minutes', async () => {
  const check = (purpose: 'login' | 'register', captcha: string, captcha_id: string) =>
    checkCaptcha(ctx, purpose, { captcha, captcha_id });
  const first = await get('login');
  const answer = await solve(first.id, 'login');
  await expect(check('login', answer, first.id)).resolves.toBeUndefined();
  await expect(check('login', answer, first.id)).rejects.toThrow('验证码错误');

  const second = await get('login');
  const loginAnswer = await solve(second.id, 'login');
  await expect(check('register', loginAnswer, second.id)).rejects.toThrow('验证码错误');

  const third = await get('login');
  const late = await solve(third.id, 'login');
  clock.now = new Date(clock.now.getTime() + 5 * 60_000 + 1);
  await expect(check('login', late, third.id)).rejects.toThrow('验证码错误');
});

test('a wrong answer invalidates the captcha', async () => {
  const { id } = await get('login');
  const answer = await solve(id, 'login');
  const wrongAnswer = answer === '00000' ? '11111' : '00000';
  await expect(checkCaptcha(ctx, 'login', { captcha: wrongAnswer, captcha_id: id })).rejects.toThrow();
  await expect(checkCaptcha(ctx, 'login', { captcha: answer, captcha_id: id })).rejects.toThrow();
});

test('a login rejects missing, unknown and malformed captcha values', async () => {
  const login = (extraInput: object) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username: 'admin', password: 'whatever-it-is', ...extraInput },
    });
  expect((await login({})).json().message).toBe('请输入验证码');
  expect((await login({ captcha: ' ', captcha_id: 'x' })).json().message).toBe('请输入验证码');
  for (const captcha_id of ['', 'x', '00000000-0000-0000-0000-000000000000'])
    expect((await login({ captcha: '12345', captcha_id })).json().message).toBe('验证码错误');
  for (const captcha of [true, ['1'], { $ne: '' }, null])
    expect((await login({ captcha, captcha_id: 'x' })).statusCode).toBe(400);
});

const findProof = async (id: string, bits: number): Promise<string> => {
  for (let answer = 0; ; answer += 1) if (await isValidProof(id, String(answer), bits)) return String(answer);
};
const requestWork = (ip: string) => app.inject({ url: '/api/v1/user/captcha?type=login&form=work', remoteAddress: ip });

test('a proof of work is valid once and for its purpose', async () => {
  const { enable, id, captcha, type, work_bits } = (await requestWork('192.0.2.5')).json();
  expect({ enable, captcha, type, work_bits }).toEqual({
    enable: true,
    captcha: '',
    type: 'work',
    work_bits: 6,
  });
  const answer = await findProof(id, work_bits);
  await expect(checkCaptcha(ctx, 'login', { captcha: answer, captcha_id: id })).resolves.toBeUndefined();
  await expect(checkCaptcha(ctx, 'login', { captcha: answer, captcha_id: id })).rejects.toThrow('验证码错误');
  const otherWork = (await requestWork('192.0.2.5')).json();
  const late = await findProof(otherWork.id, otherWork.work_bits);
  await expect(checkCaptcha(ctx, 'register', { captcha: late, captcha_id: otherWork.id })).rejects.toThrow(
    '验证码错误',
  );
});

test('the server and browsers compute the same scrypt hash', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const answer = await findProof(id, 6);
  expect(hasLeadingZeroBits(scrypt(answer, id, SCRYPT_PARAMETERS), 6)).toBe(true);
});

test('a proof of work for one captcha is rejected for another one', async () => {
  const firstWork = (await requestWork('192.0.2.6')).json();
  const secondWork = (await requestWork('192.0.2.6')).json();
  let answer = 0;
  while (
    !(await isValidProof(firstWork.id, String(answer), firstWork.work_bits)) ||
    (await isValidProof(secondWork.id, String(answer), secondWork.work_bits))
  )
    answer += 1;
  await expect(checkCaptcha(ctx, 'login', { captcha: String(answer), captcha_id: secondWork.id })).rejects.toThrow(
    '验证码错误',
  );
});

test('an address with many requests gets harder proofs of work and 429 after ten a minute', async () => {
  const answers = [];
  for (let at = 0; at < 12; at += 1) answers.push(await requestWork('192.0.2.77'));
  expect(answers.slice(0, 10).map((answer) => answer.json().work_bits)).toEqual([6, 6, 6, 7, 7, 7, 8, 8, 8, 9]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(200), 429, 429]);
  expect((await app.inject('/api/v1/user/captcha?type=login&form=sound')).statusCode).toBe(400);
});

test('no captcha is required when the setting is off', async () => {
  await setSetting(ctx, 'security.enable_captcha_login', 'false');
  expect(await get('login')).toMatchObject({ enable: false, id: '', captcha: '' });
  await expect(checkCaptcha(ctx, 'login', {})).resolves.toBeUndefined();
});

test('captchas with sums and letters are drawn as images', async () => {
  const sum = createQuestion('math', 5);
  const [, left = '', sign, right = ''] = /^(\d+)([+-])(\d+)=\?$/.exec(sum.displayedText) ?? [];
  const result = sign === '+' ? Number(left) + Number(right) : Number(left) - Number(right);
  expect(sum.answer).toBe(String(result));
  const word = createQuestion('string', 6);
  expect(word.answer).toMatch(/^[A-Z0-9]{6}$/);
  expect(await drawCaptcha(word.displayedText, 200, 50)).toMatch(/^data:image\/png/);
});
