import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Passes bytes through, counting and hashing them. */
export class Meter extends Transform {
  // Private also because the S3 library takes a `size` of its body for the final one.
  #size = 0;
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void) {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Call once, at the end. */
  result() {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}
