import { captchaApi } from '#modules/captcha/captcha.contract.ts';
import { replyTo } from './api-replies.ts';

/** The site requires no captcha. */
export const noCaptcha = replyTo(captchaApi.get, {
  enable: false,
  id: '',
  captcha: '',
  work_bits: 0,
  type: '',
});

/** Returns a new captcha for each call: `captcha-1` with the picture `data:,1`, then `captcha-2`. */
export function numberedCaptchas() {
  let count = 0;
  return replyTo(captchaApi.get, () => {
    count += 1;
    const picture = { enable: true, captcha: `data:,${count}`, work_bits: 0, type: 'digit' };
    return { ...picture, id: `captcha-${count}` };
  });
}
