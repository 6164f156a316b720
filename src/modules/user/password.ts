import { hash, verify } from '@node-rs/argon2';

// argon2id is the library's default algorithm; the costs follow OWASP's advice.
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, costs);

/** A hash of nothing anybody knows: checked when there is no account, so both cases take as long. */
const noAccount = hashPassword(crypto.randomUUID());

export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(stored ?? (await noAccount), password);
  return stored !== undefined && matches;
}
