/** Another process has taken the job over: whatever this one was doing with it is dropped. */
export class LeaseLost extends Error {
  constructor(jobId: string) {
    super(`lost the lease of ${jobId}`);
  }
}
