import path from 'node:path';
import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { rejectionReasons } from '../sandboxed/rejection-reasons.ts';
import type { ConversionTask } from './attempt.ts';
import { PermanentConversionError } from './conversion-errors.ts';
import { rejectEncryptedFileOrZipBomb } from './reject-encrypted-file-or-zip-bomb.ts';
import { assertProgramFinished } from './require-program.ts';
import { runSandboxedConverter } from './run-sandboxed-converter.ts';
import { rejectLinkedInput } from './sandbox-output-file.ts';

/** Excel encrypts workbooks that are only protected against changes with this password. */
const DEFAULT_PASSWORD = 'VelvetSweatshop';

const excelFormats: readonly FileFormat[] = ['xls', 'xlsx', 'xlsb'];

const isEncryptedRejection = (error: unknown) =>
  error instanceof PermanentConversionError && error.message === rejectionReasons.encrypted;

/** Checks a fetched file and returns the path of one that opens without a password. */
export async function checkAndUnlockInput(task: ConversionTask, format: FileFormat): Promise<string> {
  const { workspace } = task;
  try {
    await rejectEncryptedFileOrZipBomb(workspace.input, format);
    return workspace.input;
  } catch (containerError) {
    if (!isEncryptedRejection(containerError) || !excelFormats.includes(format)) throw containerError;
    const limits = task.limits.read;
    const file = await decryptFile({ ...task, limits }, format, DEFAULT_PASSWORD).catch((error: unknown) => {
      throw error instanceof PermanentConversionError ? containerError : error;
    });
    await rejectEncryptedFileOrZipBomb(file, format);
    return file;
  }
}

type DecryptTask = Pick<ConversionTask, 'workspace' | 'workload' | 'signal'> & { limits: SandboxLimits };

/**
 * Decrypts a fetched file in the sandbox and returns the path of the copy. The password is passed on standard input,
 * where no other process can read it. Error messages never contain the output of the process, because it could contain
 * the password.
 */
export async function decryptFile(
  { workspace, limits, workload, signal }: DecryptTask,
  format: FileFormat,
  password: string,
): Promise<string> {
  const { input, folder } = workspace;
  const end = await runSandboxedConverter({
    task: 'decrypt',
    input,
    folder,
    options: { format },
    limits,
    workload,
    signal,
    onEvent: () => {},
    connectStdin: (send) => send(JSON.stringify({ password })),
  });
  assertProgramFinished(end, signal);
  if (!end.isDone) throw new Error(`the file was not decrypted: exit code ${end.code}`);
  await rejectLinkedInput(folder, path.join(folder, 'decrypted'));
  return path.join(folder, 'decrypted');
}
