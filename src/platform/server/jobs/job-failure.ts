import * as z from 'zod/mini';

/** The process that was at it has died. */
export const INTERRUPTED = '处理进程意外中断';

/** pg-boss copies a job there, in the same statement, when its last attempt has failed. */
export const failureQueueOf = (name: string) => `${name}.failed`;

/** What pg-boss keeps of a failure: a thrown error, or its own note under `value`. */
const output = z.union([
  z.object({ value: z.object({ message: z.string() }) }),
  z.object({ value: z.string() }),
  z.object({ message: z.string() }),
]);

/** A sentence for a person; what befell the worker itself is put into words, as it has no error. */
export function failureReason(kept: unknown): string {
  const parsed = z.safeParse(output, kept);
  if (!parsed.success) return '处理失败';
  const found = parsed.data;
  const message =
    'message' in found ? found.message : typeof found.value === 'string' ? found.value : found.value.message;
  if (/^job heartbeat timeout|^pg-boss shut down/.test(message)) return INTERRUPTED;
  if (/^job timed out|^handler execution exceeded/.test(message)) return '处理超时';
  return message || '处理失败';
}
