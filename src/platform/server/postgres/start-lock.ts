import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresStartError } from './start-error.ts';

/**
 * Runs `work` while no other process starts or stops the server of this folder. The lock is an abstract socket, which the
 * kernel releases when the process dies, so it is never stale.
 */
export async function withStartLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const name = `\0douku-postgres-${createHash('sha256').update(folder).digest('hex')}`;
  const deadline = Date.now() + 120_000;
  let lock = await tryAcquireLockSocket(name);
  while (lock === null) {
    if (Date.now() > deadline)
      throw new PostgresStartError(`另一个进程占用数据库文件夹 ${folder} 已超过两分钟，请稍后再试`);
    await sleep(100);
    lock = await tryAcquireLockSocket(name);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}

function tryAcquireLockSocket(name: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(name, () => resolve(server));
  });
}
