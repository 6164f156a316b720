import { type RejectionReason, rejectionReasons } from '../sandboxed/rejection-reasons.ts';

/** Retrying cannot help. Users see `message` as the reason. */
export class PermanentConversionError extends Error {
  override name = 'PermanentConversionError';
}

/** The conversion exceeded its limit of processor time; `pages` lists the pages that could not be drawn. */
export class ConversionTimeout extends Error {
  override name = 'ConversionTimeout';
  readonly pages: number[];
  constructor(pages: number[] = []) {
    super('转换超时，文档可能过大或过于复杂');
    this.pages = pages;
  }
}

/** The time slice is used up, other documents wait, and the background pool is full. */
export class TimeSliceExceeded extends Error {
  override name = 'TimeSliceExceeded';
}

/** A required program is not installed; the document waits for it. */
export class ProgramMissing extends Error {
  override name = 'ProgramMissing';
  constructor(program: string) {
    super(`等待安装 ${program} 后转换`);
  }
}

/** No disk space for the pages. The conversion is retried without counting an attempt. */
export class ConversionStorageFull extends Error {
  override name = 'ConversionStorageFull';
  constructor(cause: unknown) {
    super('存储空间不足，有空间后自动继续转换', { cause });
  }
}

export const rejectionError = (reason: RejectionReason): PermanentConversionError =>
  new PermanentConversionError(rejectionReasons[reason]);
