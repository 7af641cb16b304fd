import { Injectable } from '@nestjs/common';
import { GuardedClient } from '../common/http/guarded-client.js';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { NoTimeStamp, type TimeStampFacts } from './time-stamp.js';

const TIMEOUT_MS = seconds(20);
/** A token with its chain of certificates has some 10 kB. */
const MAX_ANSWER_BYTES = 100_000;

/**
 * Asks the time-stamp authority of TSA_URL, which learns hashes only, and reads time stamps. What reads tokens is loaded
 * with the first one: it takes 3 MB of memory.
 */
@Injectable()
export class TimeStamps {
  constructor(
    private readonly client: GuardedClient,
    private readonly config: AppConfig,
  ) {}

  get isOn(): boolean {
    return this.config.signing.tsaUrl !== '';
  }

  /**
   * @returns DER of the token
   * @throws NoTimeStamp, AddressRefused, or the transport's error
   */
  async stamp(text: string, signal?: AbortSignal): Promise<Buffer> {
    const { timeStampQuestion, tokenOf } = await import('./time-stamp-token.js');
    const question = timeStampQuestion(text);
    const answer = await this.client.send({
      method: 'POST',
      url: this.config.signing.tsaUrl,
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: question.der,
      timeoutMs: TIMEOUT_MS,
      keepBytes: MAX_ANSWER_BYTES,
      addresses: this.config.addresses.timestamps,
      ...(signal ? { signal } : {}),
    });
    if (answer.status !== 200) throw new NoTimeStamp(`the authority answered ${String(answer.status)}`);
    return tokenOf(answer.body, question, text);
  }

  /**
   * What a token says of a text, once it is verified; whether its authority is to be trusted is for the reader to decide.
   * @param token DER
   * @throws NoTimeStamp
   */
  async verified(token: Buffer, text: string): Promise<TimeStampFacts> {
    const { verifiedTimeStamp } = await import('./time-stamp-token.js');
    return verifiedTimeStamp(token, text);
  }
}
