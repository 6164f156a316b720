import { TOTP } from 'otpauth';

export const totpCode = (secret: string, now: Date): string =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: now.getTime() });
