import { TOTP } from 'otpauth';

/** The code that an authenticator app with its default settings shows at a time. */
export const totpCode = (secret: string, now: Date): string =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: now.getTime() });
