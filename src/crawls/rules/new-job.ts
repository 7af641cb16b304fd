import { wholeSecond } from '../../common/units/durations.js';

/** What every new job starts from; due at once. @param started of its run */
export const newJob = (started: Date) => ({
  created: wholeSecond(started),
  active: true,
  stopping: false,
  cancelRequested: false,
  pausedAt: null,
  restartTime: null,
  stopReason: null,
  restartedAt: null,
  found: 0,
  done: 0,
  sizePending: 0,
  filesAdded: 0,
  filesAddedSize: 0,
  instances: [],
  execMs: 0,
  elapsedMs: 0,
  lastActiveTime: null,
  storeSuspended: false,
  finished: null,
  failures: 0,
  dueAt: wholeSecond(started),
  nudgedAt: null,
  leaseUntil: wholeSecond(started),
  leaseId: null,
});
