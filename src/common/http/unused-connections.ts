import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Ends connections that never asked for anything when the server closes. Browsers open such ahead of need; to Node they
 * are about to ask, and it would wait for them until the time for headers is over: a stop would take a minute.
 */
export function endUnusedOnClose(server: Server): void {
  const unused = new Set<Duplex>();
  const isUsed = ({ socket }: IncomingMessage): void => void unused.delete(socket);
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', isUsed);
  server.on('upgrade', isUsed);
  const close = server.close.bind(server);
  server.close = (done) => {
    close(done);
    for (const socket of unused) socket.destroy();
    return server;
  };
}
