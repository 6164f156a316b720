export type Failure = { name: string; reason: string };

const reasons: Record<string, string> = {
  EACCES: '没有读取权限',
  EPERM: '没有读取权限',
  ENOENT: '文件已不存在',
  EIO: '磁盘读取出错',
};

/** Why a file of the folder could not be read. Whatever else went wrong is thrown on. */
export function readingProblem(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  return reasons[code] ?? `读取失败（${code}）`;
}

/** A file of the folder that could not be read; the others can. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
