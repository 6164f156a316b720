import { hash, verify } from '@node-rs/argon2';

/** argon2id is the default algorithm of the library; the costs follow OWASP's recommendation. Tests lower them. */
export const argon2Costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash, with these costs, of a random password that was not stored. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$eQB8Jg7EAs8F8nLvBRdyTw$is9uwe/xd8z/KuV4x5mTmf0C/bJUwGJYEoE0ppM1ZMU';

export const hashPassword = (password: string): Promise<string> => hash(password, argon2Costs);

/** Without an account a dummy hash is checked, so that the duration does not reveal whether the account exists. */
export async function verifyPassword(storedHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(storedHash ?? DUMMY_HASH, password);
  return storedHash !== undefined && matches;
}
