import * as z from 'zod/mini';

/** Reason of a job whose worker process died. */
export const INTERRUPTED_REASON = '处理进程意外中断';

/** pg-boss copies a job to this queue, in the same statement, when its last attempt fails. */
export const failureQueueName = (name: string) => `${name}.failed`;

/** pg-boss stores a thrown error, or a message of its own under `value`. */
const failureOutput = z.union([
  z.object({ value: z.object({ message: z.string() }) }),
  z.object({ value: z.string() }),
  z.object({ message: z.string() }),
]);

/** A sentence for users. Replaces the messages of pg-boss about a dead worker or a timeout. */
export function failureReason(storedOutput: unknown): string {
  const result = z.safeParse(failureOutput, storedOutput);
  if (!result.success) return '处理失败';
  const output = result.data;
  const message =
    'message' in output ? output.message : typeof output.value === 'string' ? output.value : output.value.message;
  if (/^job heartbeat timeout|^pg-boss shut down/.test(message)) return INTERRUPTED_REASON;
  if (/^job timed out|^handler execution exceeded/.test(message)) return '处理超时';
  return message || '处理失败';
}
