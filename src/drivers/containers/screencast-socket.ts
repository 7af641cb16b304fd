import { WebSocket } from 'ws';
import { InProcessDuplex, type DuplexWebSocket } from '../duplex-websocket.js';

const OPEN_TIMEOUT_MS = 5_000;

/** A connection to the live view of a container; null when it does not answer. */
export function openScreencast(url: string): Promise<DuplexWebSocket | null> {
  const socket = new WebSocket(url, { handshakeTimeout: OPEN_TIMEOUT_MS, perMessageDeflate: false });
  return new Promise((resolve) => {
    const duplex = new InProcessDuplex(
      (text) => socket.send(text),
      () => socket.close(),
    );
    socket.on('message', (data, isBinary) => {
      if (!isBinary) duplex.emit((data as Buffer).toString('utf8'));
    });
    socket.once('open', () => resolve(duplex));
    socket.once('close', () => duplex.close());
    // Answers too late change nothing: a promise settles once.
    socket.on('error', () => resolve(null));
  });
}
