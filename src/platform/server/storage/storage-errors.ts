export class StorageNotFound extends Error {
  override name = 'StorageNotFound';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`the storage has no object ${key}`, options);
    this.key = key;
  }
}

/** The range starts after the end of the object (HTTP 416). */
export class StorageRangeInvalid extends Error {
  override name = 'StorageRangeInvalid';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`${key} has no such byte range`, options);
    this.key = key;
  }
}

/** The storage accepts no more bytes; stored objects can still be read. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}

/** An S3 call failed: the server answered with an error, or the connection was lost. Requests are answered with 503. */
export class StorageServerError extends Error {
  override name = 'StorageServerError';
}

export class StorageKeyInvalid extends Error {
  override name = 'StorageKeyInvalid';
}
