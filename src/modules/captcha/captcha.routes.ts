import { route } from '#platform/server/http/route.ts';
import { captchaApi } from './captcha.contract.ts';
import { getCaptcha } from './captcha.ts';

export const captchaRoutes = [route(captchaApi.get, getCaptcha)];
