import { signedDataOf, type SignedData, type SignHash } from '../../formats/wacz/signed-data.js';
import type { ToChild } from '../protocol.js';
import type { Channel } from './channel.js';
import type { Logger } from './logger.js';

/** A signature takes milliseconds. A service that is busy or restarts must not hold the crawl up: it signs later. */
const LONGEST_WAIT_MS = 5_000;

/** Asks the service to sign packages: the keys are not the crawler's. */
export class Signatures {
  private readonly waiting = new Map<number, (message: Extract<ToChild, { t: 'signature' }>) => void>();
  private lastId = 0;

  constructor(
    private readonly channel: Pick<Channel, 'send'>,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /** Resolves with null, and says so in the log, when no signature comes in time. */
  readonly of: SignHash = async (asked) => {
    const rid = ++this.lastId;
    const signed = await new Promise<SignedData | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), this.longestWaitMs);
      this.waiting.set(rid, (answer) => {
        clearTimeout(timer);
        resolve(signedDataOf(answer.signed, asked));
      });
      this.channel.send({ t: 'askSignature', rid, ...asked });
    });
    this.waiting.delete(rid);
    if (!signed)
      this.logger.warn('general', 'Packed without a signature: the service signs the file later', { ...asked });
    return signed;
  };

  received(message: Extract<ToChild, { t: 'signature' }>): void {
    this.waiting.get(message.rid)?.(message);
  }
}
