import { defineErrors } from '#platform/contract/errors.ts';

/** The message is replaced by the closing statement of the settings. */
export const siteAccessErrors = defineErrors('site', {
  closed: [503, '网站暂时关闭，请稍后再来'],
});
