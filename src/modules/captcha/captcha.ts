import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { eq, lt } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { addressKey, countAttempt } from '#platform/server/rate-limit.ts';
import { type CaptchaPurpose, type captchaApi, captchaErrors } from './captcha.contract.ts';
import { captchas } from './captcha.table.ts';
import { type CaptchaKind, drawCaptcha, makeQuestion } from './draw-captcha.ts';
import { inDigits } from './numerals.ts';
import { writeQuestion } from './write-question.ts';

const LIFETIME_MS = 5 * 60 * 1000;
const GIVEN_OUT = { max: 120, seconds: 60 };
/** A program reads words more easily than pictures, so there are fewer of them. */
const WORDS_GIVEN_OUT = { max: 10, seconds: 60 };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** As typed: in either case, in the full-width digits of a Chinese keyboard, or in words. */
const plain = (answer: string) => inDigits(answer.normalize('NFKC').trim().toUpperCase());
const hashOf = (purpose: string, id: string, answer: string) =>
  createHash('sha256')
    .update(`${purpose}\n${id}\n${plain(answer)}`)
    .digest();

async function isNeeded(ctx: Context, purpose: CaptchaPurpose): Promise<boolean> {
  const { security } = await getSettings(ctx);
  return security[`enable_captcha_${purpose}`];
}

export async function getCaptcha(
  ctx: Context,
  { type: purpose, form }: ParsedInputOf<typeof captchaApi.get>,
) {
  const { captcha: look } = await getSettings(ctx);
  const kind = look.type as CaptchaKind;
  const type = form === 'words' ? form : kind;
  const none = { enable: false, id: '', captcha: '', question: '', type };
  if (!(await isNeeded(ctx, purpose))) return none;
  const address = addressKey(ctx.client.ip);
  await countAttempt(ctx, `captcha:${address}`, GIVEN_OUT);
  if (form === 'words') {
    await countAttempt(ctx, `captcha-words:${address}`, WORDS_GIVEN_OUT);
    const { shown, answer } = writeQuestion();
    return { ...none, enable: true, id: await keep(ctx, purpose, answer), question: shown };
  }
  const { shown, answer } = makeQuestion(kind, look.length);
  const captcha = await drawCaptcha(shown, look.width, look.height);
  return { ...none, enable: true, id: await keep(ctx, purpose, answer), captcha };
}

/** Remembers what the answer is, for a while and as a hash; returns the number of the question. */
async function keep(ctx: Context, purpose: CaptchaPurpose, answer: string): Promise<string> {
  const id = randomUUID();
  const now = ctx.now().getTime();
  await ctx.db.delete(captchas).where(lt(captchas.expires_at, new Date(now).toISOString()));
  await ctx.db.insert(captchas).values({
    id,
    purpose,
    answer_hash: hashOf(purpose, id, answer),
    expires_at: new Date(now + LIFETIME_MS).toISOString(),
  });
  return id;
}

/** Refuses unless the answer is right. A captcha is used up by the first try, right or wrong. */
export async function checkCaptcha(
  ctx: Context,
  purpose: CaptchaPurpose,
  given: { captcha?: string; captcha_id?: string },
): Promise<void> {
  if (!(await isNeeded(ctx, purpose))) return;
  const { captcha = '', captcha_id = '' } = given;
  if (captcha.trim() === '') throw captchaErrors.missing();
  if (!UUID.test(captcha_id)) throw captchaErrors.wrong();
  const [used] = await ctx.db.delete(captchas).where(eq(captchas.id, captcha_id)).returning();
  const isRight =
    used !== undefined &&
    used.purpose === purpose &&
    used.expires_at > ctx.now().toISOString() &&
    timingSafeEqual(used.answer_hash, hashOf(purpose, captcha_id.toLowerCase(), captcha));
  if (!isRight) throw captchaErrors.wrong();
}
