import path from 'node:path';
import type { ContentFormat } from '../content.contract.ts';
import { refusals } from '../workshop/refusals.ts';
import type { ConversionTask } from './attempt.ts';
import { checkContainer } from './check-container.ts';
import { Hopeless } from './failures.ts';
import { checkInput } from './made-file.ts';
import { completeTask } from './run-workshop.ts';

/** Excel encrypts workbooks that are only protected against changes with this password. */
const DEFAULT_PASSWORD = 'VelvetSweatshop';

const isEncrypted = (error: unknown) =>
  error instanceof Hopeless && error.message === refusals.encrypted;

/** Checks a fetched file and returns the path of one that opens without a password. */
export async function openContainer(task: ConversionTask, format: ContentFormat): Promise<string> {
  const { workspace } = task;
  try {
    await checkContainer(workspace.input, format);
    return workspace.input;
  } catch (error) {
    if (!isEncrypted(error) || (format !== 'xls' && format !== 'xlsx')) throw error;
  }
  const file = await decryptFile(task);
  await checkContainer(file, format);
  return file;
}

/** The password goes to the standard input of the process, where no other process sees it. */
async function decryptFile({
  workspace,
  limits,
  workload,
  signal,
}: ConversionTask): Promise<string> {
  const { input, folder } = workspace;
  await completeTask({
    task: 'decrypt',
    input,
    folder,
    options: {},
    limits: limits.read,
    workload,
    signal,
    onEvent: () => {},
    control: (send) => send(JSON.stringify({ password: DEFAULT_PASSWORD })),
  });
  await checkInput(folder, path.join(folder, 'decrypted'));
  return path.join(folder, 'decrypted');
}
