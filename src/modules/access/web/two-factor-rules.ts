export const passwordRule = ({ password }: { password: string }) =>
  password ? '' : '请输入您的登录密码';
export const codeRule = ({ code }: { code: string }) => (code.trim() ? '' : '请输入两步验证码');
