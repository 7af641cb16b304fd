import { createSocket } from 'node:dgram';
import { connect as connectPlain, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { seconds } from '../../common/units/durations.js';
import type { AuditLine } from '../rules/audit-line.js';
import { octetCounted, syslogMessage } from '../rules/syslog-message.js';
import type { LineSender } from './line-sender.js';

/** Until the connection stands and all is written; then until the receiver has closed it as well. */
const TIMEOUT_MS = seconds(20);
const CLOSING_MS = seconds(5);
/** Ports of RFC 5425, RFC 5426 and custom. */
const PORTS: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 514, 'tls:': 6514 };

/**
 * Sends lines by RFC 5424: over TCP or TLS with octet counting, one connection for each batch, or one datagram a line.
 * Syslog has no acknowledgement: a batch counts as sent when the receiver has closed the connection without complaint.
 */
export class SyslogLineSender implements LineSender {
  readonly name = 'syslog';
  private readonly protocol: string;
  private readonly host: string;
  private readonly port: number;

  constructor(url: string) {
    const parsed = new URL(url);
    this.protocol = parsed.protocol;
    this.host = parsed.hostname.replace(/^\[|\]$/g, '');
    this.port = parsed.port === '' ? (PORTS[parsed.protocol] ?? 0) : Number(parsed.port);
  }

  async send(lines: readonly AuditLine[], signal: AbortSignal): Promise<void> {
    const messages = lines.map((line) => syslogMessage(line, hostname()));
    if (this.protocol === 'udp:') await this.sendDatagrams(messages);
    else await this.sendStream(Buffer.concat(messages.map(octetCounted)), signal);
  }

  private async sendDatagrams(messages: readonly string[]): Promise<void> {
    const socket = createSocket(this.host.includes(':') ? 'udp6' : 'udp4');
    try {
      for (const message of messages)
        await new Promise<void>((resolve, reject) => {
          socket.once('error', reject);
          socket.send(message, this.port, this.host, (error) => {
            socket.off('error', reject);
            if (error) reject(error);
            else resolve();
          });
        });
    } finally {
      socket.close();
    }
  }

  private async sendStream(bytes: Buffer, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const socket = this.open();
    const broken = (): void => void socket.destroy(new Error('sending was aborted'));
    signal.addEventListener('abort', broken, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the receiver takes too long')));
        socket.once('error', reject);
        socket.once('close', () => resolve());
        socket.resume().end(bytes, () => {
          // All is with the system now; who never closes has taken it nevertheless.
          socket.setTimeout(CLOSING_MS, () => socket.destroy());
        });
      });
    } finally {
      signal.removeEventListener('abort', broken);
      socket.destroy();
    }
  }

  private open(): Socket {
    const { host, port } = this;
    if (this.protocol !== 'tls:') return connectPlain({ host, port });
    // Names alone may be asked for; addresses are compared with the certificate all the same.
    const servername = /[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {};
    return connectTls({ host, port, ...servername });
  }
}
