import { connect, type Socket } from 'node:net';
import { AddressRefused } from '../../formats/address/resolve.js';
import type { Dialer } from '../guard/dialer.js';

/** The network of a quality check: only the replay server, so that all content comes from the archive. */
export class OnlyReplay implements Dialer {
  constructor(private readonly port: number) {}

  dial(host: string, port: number): Promise<Socket> {
    if (host !== '127.0.0.1' || port !== this.port) return Promise.reject(new AddressRefused(host));
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
    });
  }
}
