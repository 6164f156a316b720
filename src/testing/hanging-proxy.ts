import { connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/**
 * Forwards a port to a server and can hang like a stopped process: connections are accepted and stay open, and no byte is
 * forwarded until `resume`.
 */
export async function startHangingProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const proxy = createServer((clientSocket) => {
    const targetSocket = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [clientSocket, targetSocket],
      [targetSocket, clientSocket],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      if (isHanging) from.pause();
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (proxy.address() as { port: number }).port,
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isHanging = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
