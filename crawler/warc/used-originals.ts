import type { Channel } from '../channel/channel.js';
import type { OriginalCapture } from '../protocol.js';

/** A WACZ of another item that records of this crawl refer to. */
export interface UsedOriginal {
  /** Number in this crawl, by which index lines name it. */
  readonly number: number;
  readonly itemId: string;
  readonly wacz: OriginalCapture['wacz'];
}

/** The crawl's log, which a later process reads. */
interface UsedLog {
  append(entry: { t: 'original' } & UsedOriginal): Promise<void>;
  sync(): Promise<void>;
}

/**
 * The WACZs of other items that this crawl needs. Each is on disk, and reported, before the first record that refers to
 * it, so that no kill leaves a record whose original nobody keeps.
 */
export class UsedOriginals {
  private readonly numbers = new Map<string, Promise<number>>();
  private readonly used: UsedOriginal[] = [];
  private readonly told = new Map<string, Promise<void>>();

  constructor(
    private readonly state: UsedLog,
    private readonly channel: Channel,
  ) {}

  /** Continues a former process, and reports again what it may not have reported. */
  async restore(used: readonly UsedOriginal[], told: readonly string[]): Promise<void> {
    for (const itemId of told) this.told.set(itemId, Promise.resolve());
    for (const original of used) {
      this.used[original.number] = original;
      this.numbers.set(keyOf(original), Promise.resolve(original.number));
      await this.tell(original.itemId);
    }
  }

  /** The number of the original's WACZ. */
  numberOf(original: OriginalCapture): Promise<number> {
    const key = keyOf(original);
    const known = this.numbers.get(key);
    if (known) return known;
    const number = this.add(original);
    this.numbers.set(key, number);
    // The next record tries again.
    number.catch(() => this.numbers.delete(key));
    return number;
  }

  /** @param numbers as index lines give them */
  list(numbers: Iterable<number>): UsedOriginal[] {
    return [...numbers].sort((one, other) => one - other).flatMap((number) => this.used[number] ?? []);
  }

  private async add({ itemId, wacz }: OriginalCapture): Promise<number> {
    const { name, hash, size } = wacz;
    const original: UsedOriginal = { number: this.used.length, itemId, wacz: { name, hash, size } };
    this.used.push(original);
    await this.state.append({ t: 'original', ...original });
    await this.state.sync();
    await this.tell(itemId);
    return original.number;
  }

  private tell(itemId: string): Promise<void> {
    const known = this.told.get(itemId);
    if (known) return known;
    const telling = this.channel.journal({ t: 'original', itemId }).then(() => this.channel.sync());
    this.told.set(itemId, telling);
    telling.catch(() => this.told.delete(itemId));
    return telling;
  }
}

const keyOf = ({ itemId, wacz }: Pick<UsedOriginal, 'itemId' | 'wacz'>): string => `${itemId} ${wacz.name}`;
