import { WebSocket } from 'ws';
import { InProcessDuplex } from '../duplex-websocket.js';

const OPEN_TIMEOUT_MS = 5_000;

/**
 * Connects to the live view of a container; null when it does not answer.
 * @param options `passing`: maps a frame towards the container, null drops it; `ended`: called once the connection is
 *   closed
 */
export function openScreencast(
  url: string,
  options: { passing?: (text: string) => string | null; ended?: () => void } = {},
): Promise<InProcessDuplex | null> {
  const { passing = (text: string) => text, ended } = options;
  const socket = new WebSocket(url, { handshakeTimeout: OPEN_TIMEOUT_MS, perMessageDeflate: false });
  return new Promise((resolve) => {
    const duplex = new InProcessDuplex(
      (text) => {
        const allowed = passing(text);
        if (allowed !== null) socket.send(allowed);
      },
      () => {
        socket.close();
        ended?.();
      },
    );
    socket.on('message', (data, isBinary) => {
      if (!isBinary) duplex.emit((data as Buffer).toString('utf8'));
    });
    socket.once('open', () => resolve(duplex));
    socket.once('close', () => duplex.close());
    // An error after the connection was made changes nothing, because a promise settles once.
    socket.on('error', () => resolve(null));
  });
}
