import { hash, verify } from '@node-rs/argon2';

/** argon2id is the library's default algorithm; the costs follow OWASP's advice. Tests lower them. */
export const passwordCosts = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, passwordCosts);

let noAccount: Promise<string> | undefined;

/** The hash of an unknown password is checked when there is no account, so both cases take as long. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  noAccount ??= hashPassword(crypto.randomUUID());
  const matches = await verify(stored ?? (await noAccount), password);
  return stored !== undefined && matches;
}
