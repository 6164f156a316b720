import { StorageKeyInvalid } from './storage-errors.ts';

/** Keys are made by us, never by a user, so that no name of a file can lead anywhere else. */
export function checkKey(key: string) {
  const isSafe =
    key.length <= 512 && key.split('/').every((part) => /^[a-z0-9._-]{1,200}$/.test(part) && isPlainName(part));
  if (!isSafe) throw new StorageKeyInvalid(`not a storage key: ${JSON.stringify(key)}`);
}

/** A prefix is the beginning of a key; the empty one stands for everything. */
export function checkPrefix(prefix: string) {
  if (prefix !== '') checkKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/** Emptying the whole storage is never meant. */
export function checkDeletablePrefix(prefix: string) {
  if (prefix === '') throw new StorageKeyInvalid('an empty prefix would delete everything');
  checkPrefix(prefix);
}

const isPlainName = (part: string) => part !== '.' && !part.includes('..');
