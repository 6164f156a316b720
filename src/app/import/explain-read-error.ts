export type ImportFailure = { name: string; reason: string };

const REASONS: Record<string, string> = {
  EACCES: '没有读取权限',
  EPERM: '没有读取权限',
  ENOENT: '文件已不存在',
  EIO: '磁盘读取出错',
};

/** The reason why a file cannot be read. Errors other than file system errors are rethrown. */
export function readErrorReason(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  return REASONS[code] ?? `读取失败（${code}）`;
}

/** One file cannot be read; the import continues with the next. */
export class UnreadableFileError extends Error {
  override name = 'Unreadable';
}
