import { defineErrors } from '#platform/contract/errors.ts';

export const decryptionErrors = defineErrors('decryption', {
  wrongPassword: [400, '密码不正确'],
  unsupported: [422, '暂不支持这种加密方式，请去掉密码后替换文件'],
  stillRunning: [503, '服务器繁忙，文档仍在解锁，请稍后刷新页面'],
  tooSlow: [503, '解锁没有及时完成，请稍后重试，或去掉密码后替换文件'],
});
