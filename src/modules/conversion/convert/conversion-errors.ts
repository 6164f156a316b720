import { type RejectionReason, rejectionReasons } from '../sandboxed/rejection-reasons.ts';

/** It will fail however often it is tried; `message` is the reason people read. */
export class PermanentConversionError extends Error {
  override name = 'Hopeless';
}

/** It used more processor time than any document may; `pages` are those it could not draw. */
export class ConversionTimeout extends Error {
  override name = 'ConversionTimeout';
  readonly pages: number[];
  constructor(pages: number[] = []) {
    super('转换超时，文档可能过大或过于复杂');
    this.pages = pages;
  }
}

/** Its slice of processor time is used up, others wait, and there is no place in the background. */
export class SliceUsedUp extends Error {
  override name = 'SliceUsedUp';
}

/** A program of the system is not there; the content waits for it. */
export class ProgramMissing extends Error {
  override name = 'ProgramMissing';
  constructor(program: string) {
    super(`等待安装 ${program} 后转换`);
  }
}

/** No room for its pages. It is tried again by itself; no attempt is counted. */
export class StorageFull extends Error {
  override name = 'OutOfRoom';
  constructor(cause: unknown) {
    super('存储空间不足，有空间后自动继续转换', { cause });
  }
}

export const toConversionError = (refusal: RejectionReason): PermanentConversionError =>
  new PermanentConversionError(rejectionReasons[refusal]);
