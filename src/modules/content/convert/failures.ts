import { type Refusal, refusals } from '../workshop/refusals.ts';

/** It will fail however often it is tried; `message` is the reason people read. */
export class Hopeless extends Error {
  override name = 'Hopeless';
}

/** It was too much for this attempt; with more time it may succeed. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';
  /** Pages it hung on. */
  readonly pages: number[];
  constructor(pages: number[] = []) {
    super('转换超时，文档可能过大或过于复杂');
    this.pages = pages;
  }
}

/** A program of the system is not there; the content waits for it. */
export class ProgramMissing extends Error {
  override name = 'ProgramMissing';
  constructor(program: string) {
    super(`等待安装 ${program} 后转换`);
  }
}

export const refused = (refusal: Refusal): Hopeless => new Hopeless(refusals[refusal]);
