import { nextFiring, parseCron } from './cron.js';

/** When a schedule that begins now fires first; null without a schedule, or when it never fires. */
export function firstFiring(schedule: string | null | undefined, now: Date): Date | null {
  const cron = schedule ? parseCron(schedule) : null;
  return cron ? nextFiring(cron, now) : null;
}
