export class StorageNotFound extends Error {
  override name = 'StorageNotFound';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`nothing is stored under ${key}`, options);
    this.key = key;
  }
}

/** The range begins behind the end of the object: HTTP calls that 416. */
export class StorageRangeInvalid extends Error {
  override name = 'StorageRangeInvalid';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`${key} has no such byte range`, options);
    this.key = key;
  }
}

/** The storage takes no more bytes; what is stored can still be read. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}

export class StorageKeyInvalid extends Error {
  override name = 'StorageKeyInvalid';
}
