import type { Clock } from '../common/clock/clock.js';
import { minutes, seconds } from '../common/units/durations.js';

const KEYS_LAST_MS = minutes(10);
/** Strangers may name keys that are not there as often as they like; the provider is not asked each time. */
const ASKED_AGAIN_MS = seconds(10);

/** The keys of a provider as it sent them last. They are fetched again at once for a token of a key that isn't there. */
export class KnownKeys {
  private kept: { readonly text: string; readonly ids: ReadonlySet<string>; readonly untilMs: number } | null = null;

  constructor(private readonly clock: Clock) {}

  /** @returns the key set, null when it is old or lacks the key */
  with(keyId: string | null): string | null {
    const { kept } = this;
    if (!kept || keyId === null || !kept.ids.has(keyId) || kept.untilMs <= this.clock.nowMs()) return null;
    return kept.text;
  }

  /** @returns the key set if the provider sent it only just, whatever keys it has */
  get justSent(): string | null {
    const { kept } = this;
    const sinceMs = kept ? this.clock.nowMs() - (kept.untilMs - KEYS_LAST_MS) : ASKED_AGAIN_MS;
    return kept && sinceMs < ASKED_AGAIN_MS ? kept.text : null;
  }

  keep(text: string): void {
    this.kept = { text, ids: new Set(idsIn(text)), untilMs: this.clock.nowMs() + KEYS_LAST_MS };
  }
}

function idsIn(text: string): string[] {
  try {
    const { keys } = JSON.parse(text) as { keys: { kid?: unknown }[] };
    return keys.flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
  } catch {
    // What is no key set is the library's to refuse.
    return [];
  }
}

/** @returns the key's name in the header of the ID token in a token answer, null where there is none */
export function keyIdOf(answer: string): string | null {
  try {
    const { id_token: token } = JSON.parse(answer) as { id_token: string };
    const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8');
    const { kid } = JSON.parse(header) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
