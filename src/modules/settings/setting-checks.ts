// Rules for the values of text settings: each returns an error message, or undefined for a valid value.

const isWebAddress = (value: string) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && !url.username;
};
export const checkWebAddress = (value: string) =>
  isWebAddress(value) ? undefined : '应为 http:// 或 https:// 开头的网址';
/** A path of the site or a web address, but no javascript: URL. */
export const checkLink = (value: string) =>
  /^\/(?![/\\])\S*$/.test(value) || isWebAddress(value) ? undefined : '应以 /、http:// 或 https:// 开头';
export const checkYear = (value: string) => (/^\d{4}$/.test(value) ? undefined : '应为 4 位数字的年份');
export const checkEmail = (value: string) =>
  /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value) ? undefined : '不是正确的邮箱地址';
export const checkHost = (value: string) =>
  /^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$/.test(value) ? undefined : '应为主机名或 IP 地址';
export const checkTimeZone = (value: string) => {
  try {
    // Offsets are rejected, because PostgreSQL inverts their sign.
    if (/^[A-Za-z]/.test(value)) new Intl.DateTimeFormat('zh-CN', { timeZone: value });
    else return '应为时区名称，例如 Asia/Shanghai';
  } catch {
    return '应为时区名称，例如 Asia/Shanghai';
  }
};
