import sharp from 'sharp';
import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { checkCaptcha } from './captcha.ts';
import { drawCaptcha, makeQuestion } from './draw-captcha.ts';
import { inWords } from './numerals.ts';

const { app, ctx, clock, pool } = await testApp();

const get = async (type: string) => (await app.inject(`/api/v1/user/captcha?type=${type}`)).json();
/** The answer is kept as a hash only; here it is found by trying all. */
async function solve(id: string, purpose: string, width = 5): Promise<string> {
  const { rows } = await pool.query('select answer_hash from captchas where id = $1', [id]);
  const { createHash } = await import('node:crypto');
  for (let number = 0; number < 100_000; number += 1) {
    const answer = String(number).padStart(width, '0');
    const hash = createHash('sha256').update(`${purpose}\n${id}\n${answer}`).digest();
    if (hash.equals(rows[0].answer_hash)) return answer;
  }
  throw new Error('no answer');
}

test('a captcha is a picture, and its answer is nowhere in the reply', async () => {
  const { enable, id, captcha, type } = await get('login');
  expect([enable, type]).toEqual([true, 'digit']);
  const answer = await solve(id, 'login');
  expect(captcha).toMatch(/^data:image\/png;base64,/);
  const bytes = Buffer.from(captcha.split(',')[1], 'base64');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 240, height: 60 });
  expect(bytes.includes(answer)).toBe(false);
});

test('an unknown purpose is refused', async () => {
  const answer = await app.inject('/api/v1/user/captcha?type=other');
  expect([answer.statusCode, answer.json().message]).toEqual([400, '不支持的验证码类型']);
});

test('a captcha opens once, for its purpose, for five minutes', async () => {
  const check = (purpose: 'login' | 'register', captcha: string, captcha_id: string) =>
    checkCaptcha(ctx, purpose, { captcha, captcha_id });
  const first = await get('login');
  const answer = await solve(first.id, 'login');
  await expect(check('login', answer, first.id)).resolves.toBeUndefined();
  await expect(check('login', answer, first.id)).rejects.toThrow('验证码错误');

  const second = await get('login');
  const other = await solve(second.id, 'login');
  await expect(check('register', other, second.id)).rejects.toThrow('验证码错误');

  const third = await get('login');
  const late = await solve(third.id, 'login');
  clock.now = new Date(clock.now.getTime() + 5 * 60_000 + 1);
  await expect(check('login', late, third.id)).rejects.toThrow('验证码错误');
});

test('a wrong try uses the captcha up', async () => {
  const { id } = await get('login');
  const answer = await solve(id, 'login');
  const wrong = answer === '00000' ? '11111' : '00000';
  await expect(checkCaptcha(ctx, 'login', { captcha: wrong, captcha_id: id })).rejects.toThrow();
  await expect(checkCaptcha(ctx, 'login', { captcha: answer, captcha_id: id })).rejects.toThrow();
});

test('missing, foreign and odd values do not pass', async () => {
  const login = (more: object) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username: 'admin', password: 'whatever-it-is', ...more },
    });
  expect((await login({})).json().message).toBe('请输入验证码');
  expect((await login({ captcha: ' ', captcha_id: 'x' })).json().message).toBe('请输入验证码');
  for (const captcha_id of ['', 'x', '00000000-0000-0000-0000-000000000000'])
    expect((await login({ captcha: '12345', captcha_id })).json().message).toBe('验证码错误');
  for (const captcha of [true, ['1'], { $ne: '' }, null])
    expect((await login({ captcha, captcha_id: 'x' })).statusCode).toBe(400);
});

test('who cannot see the picture is asked in words, and may answer in digits or words', async () => {
  const words = async (ip = '192.0.2.5') =>
    (
      await app.inject({
        url: '/api/v1/user/captcha?type=login&form=words',
        remoteAddress: ip,
      })
    ).json();
  const first = await words();
  expect(first).toMatchObject({ enable: true, captcha: '', type: 'words' });
  expect(first.question).toMatch(/[一二三四五六七八九十两].*？$/);
  const number = Number(await solve(first.id, 'login', 0));
  const fullWidth = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
  for (const spell of [String, inWords, (answer: number) => fullWidth(` ${answer} `)]) {
    const { id } = await words('192.0.2.6');
    const captcha = spell(Number(await solve(id, 'login', 0)));
    await expect(checkCaptcha(ctx, 'login', { captcha, captcha_id: id })).resolves.toBeUndefined();
  }
  await expect(
    checkCaptcha(ctx, 'login', { captcha: String(number + 1), captcha_id: first.id }),
  ).rejects.toThrow('验证码错误');
  await expect(
    checkCaptcha(ctx, 'login', { captcha: String(number), captcha_id: first.id }),
  ).rejects.toThrow('验证码错误');
});

test('questions in words are given out more sparingly than pictures', async () => {
  const ask = async (form: string) =>
    (
      await app.inject({
        url: `/api/v1/user/captcha?type=login&form=${form}`,
        remoteAddress: '192.0.2.77',
      })
    ).statusCode;
  const statuses = [];
  for (let at = 0; at < 12; at += 1) statuses.push(await ask('words'));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect(await ask('picture')).toBe(200);
  expect(await ask('sound')).toBe(400);
});

test('with the switch off none is needed', async () => {
  await setSetting(ctx, 'security.enable_captcha_login', 'false');
  expect(await get('login')).toMatchObject({ enable: false, id: '', captcha: '' });
  await expect(checkCaptcha(ctx, 'login', {})).resolves.toBeUndefined();
});

test('sums and letters are drawn as well', async () => {
  const sum = makeQuestion('math', 5);
  const [, one = '', sign, other = ''] = /^(\d+)([+-])(\d+)=\?$/.exec(sum.shown) ?? [];
  const result = sign === '+' ? Number(one) + Number(other) : Number(one) - Number(other);
  expect(sum.answer).toBe(String(result));
  const word = makeQuestion('string', 6);
  expect(word.answer).toMatch(/^[A-Z0-9]{6}$/);
  expect(await drawCaptcha(word.shown, 200, 50)).toMatch(/^data:image\/png/);
});
