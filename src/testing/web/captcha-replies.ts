import { captchaApi } from '#modules/captcha/captcha.contract.ts';
import { on } from './api-replies.ts';

/** The site requires no captcha. */
export const noCaptcha = on(captchaApi.get, {
  enable: false,
  id: '',
  captcha: '',
  work_bits: 0,
  type: '',
});

/** Returns a new captcha for each call: `captcha-1` with the picture `data:,1`, then `captcha-2`. */
export function numberedCaptchas() {
  let count = 0;
  return on(captchaApi.get, () => {
    count += 1;
    const picture = { enable: true, captcha: `data:,${count}`, work_bits: 0, type: 'digit' };
    return { ...picture, id: `captcha-${count}` };
  });
}
