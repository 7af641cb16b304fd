import { nextFiring, parseCron } from './cron.js';

/** Returns the first firing of a schedule that begins now, or null when there is no schedule or it never fires. */
export function firstFiring(schedule: string | null | undefined, now: Date): Date | null {
  const cron = schedule ? parseCron(schedule) : null;
  return cron ? nextFiring(cron, now) : null;
}
