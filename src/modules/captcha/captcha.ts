import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { eq, lt } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { enforceRateLimit, rateLimitAddress } from '#platform/server/http/rate-limit.ts';
import { type CaptchaPurpose, type captchaApi, captchaErrors } from './captcha.contract.ts';
import { captchas } from './captcha.table.ts';
import { type CaptchaKind, createQuestion, drawCaptcha } from './draw-captcha.ts';
import { isValidProof } from './proof-of-work.ts';

const LIFETIME_MS = 5 * 60 * 1000;
const REQUEST_LIMIT = { max: 120, seconds: 60 };
/** Lower than for images, because programs can solve a proof of work. */
const WORK_REQUEST_LIMIT = { max: 10, seconds: 60 };
/** An average of 64 hashes; each further bit doubles it, for addresses with many requests. */
const MIN_WORK_BITS = 6;
const REQUESTS_PER_BIT = 3;
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Accepts answers in either case and in full-width digits of a Chinese keyboard. */
const normalizeAnswer = (answer: string) => answer.normalize('NFKC').trim().toUpperCase();
const hashAnswer = (purpose: string, id: string, answer: string) =>
  createHash('sha256')
    .update(`${purpose}\n${id}\n${normalizeAnswer(answer)}`)
    .digest();

async function isCaptchaRequired(ctx: Context, purpose: CaptchaPurpose): Promise<boolean> {
  const { security } = await getSettings(ctx);
  return security[`enable_captcha_${purpose}`];
}

export async function getCaptcha(ctx: Context, { type: purpose, form }: ParsedInputOf<typeof captchaApi.get>) {
  const { captcha: appearance } = await getSettings(ctx);
  const kind = appearance.type as CaptchaKind;
  const type = form === 'work' ? form : kind;
  const noCaptcha = { enable: false, id: '', captcha: '', work_bits: 0, type };
  if (!(await isCaptchaRequired(ctx, purpose))) return noCaptcha;
  const address = rateLimitAddress(ctx.client.ip);
  await enforceRateLimit(ctx, `captcha:${address}`, REQUEST_LIMIT);
  if (form === 'work') {
    const requests = await enforceRateLimit(ctx, `captcha-work:${address}`, WORK_REQUEST_LIMIT);
    const work_bits = MIN_WORK_BITS + Math.floor((requests - 1) / REQUESTS_PER_BIT);
    return { ...noCaptcha, enable: true, id: await storeCaptcha(ctx, purpose, { work_bits }), work_bits };
  }
  const { displayedText, answer } = createQuestion(kind, appearance.length);
  const captcha = await drawCaptcha(displayedText, appearance.width, appearance.height);
  return { ...noCaptcha, enable: true, id: await storeCaptcha(ctx, purpose, { answer }), captcha };
}

/** Stores the hash of the answer, or the required bits of a proof of work; returns the id. */
async function storeCaptcha(
  ctx: Context,
  purpose: CaptchaPurpose,
  solution: { answer: string } | { work_bits: number },
): Promise<string> {
  const id = randomUUID();
  const now = ctx.now().getTime();
  await ctx.db.delete(captchas).where(lt(captchas.expires_at, new Date(now).toISOString()));
  await ctx.db.insert(captchas).values({
    id,
    purpose,
    expires_at: new Date(now + LIFETIME_MS).toISOString(),
    ...('answer' in solution
      ? { answer_hash: hashAnswer(purpose, id, solution.answer) }
      : { work_bits: solution.work_bits }),
  });
  return id;
}

/** Throws when the answer is missing or wrong. The first attempt consumes the captcha, right or wrong. */
export async function checkCaptcha(
  ctx: Context,
  purpose: CaptchaPurpose,
  reply: { captcha?: string; captcha_id?: string },
): Promise<void> {
  if (!(await isCaptchaRequired(ctx, purpose))) return;
  const { captcha = '', captcha_id = '' } = reply;
  if (captcha.trim() === '') throw captchaErrors.missing();
  if (!UUID_PATTERN.test(captcha_id)) throw captchaErrors.wrong();
  const [captchaRow] = await ctx.db.delete(captchas).where(eq(captchas.id, captcha_id)).returning();
  const isCorrect =
    captchaRow !== undefined &&
    captchaRow.purpose === purpose &&
    captchaRow.expires_at > ctx.now().toISOString() &&
    (await isSolved(captchaRow, captcha));
  if (!isCorrect) throw captchaErrors.wrong();
}

async function isSolved(
  { id, purpose, answer_hash, work_bits }: typeof captchas.$inferSelect,
  answer: string,
): Promise<boolean> {
  if (work_bits !== null) return isValidProof(id, answer, work_bits);
  return answer_hash !== null && timingSafeEqual(answer_hash, hashAnswer(purpose, id, answer));
}
