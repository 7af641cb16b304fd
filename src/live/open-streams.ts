import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain-error.js';

/** More than browsers of one person open; one connection and a few kilobytes each. */
const MOST_OF_ONE_USER = 500;

/** The caller has too many event streams open. */
class TooManyOpenStreams extends DomainError {
  readonly kind = 'rate-limited';
  readonly detail = 'too_many_open_streams';
  override readonly headers = { 'Retry-After': '30' };
}

/** How many streams each user has open in this process. */
@Injectable()
export class OpenStreams {
  private readonly open = new Map<string, number>();

  /** @throws TooManyOpenStreams 429 */
  enter(userId: string): void {
    const open = this.open.get(userId) ?? 0;
    if (open >= MOST_OF_ONE_USER) throw new TooManyOpenStreams();
    this.open.set(userId, open + 1);
  }

  leave(userId: string): void {
    const open = (this.open.get(userId) ?? 1) - 1;
    if (open > 0) this.open.set(userId, open);
    else this.open.delete(userId);
  }
}
