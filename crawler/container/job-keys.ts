/** Names in Redis of one job and one of its instances (spec crawling §14.5). */
export function jobKeys(jobId: string, uid: string) {
  return {
    status: `${jobId}:status`,
    size: `${jobId}:size`,
    done: `${jobId}:d`,
    seen: `${jobId}:s`,
    excluded: `${jobId}:excluded`,
    queue: `${jobId}:q`,
    failed: `${jobId}:f`,
    pages: `${jobId}:pages`,
    errors: `${jobId}:e`,
    behaviors: `${jobId}:b`,
    profileUploaded: `${jobId}:profileUploaded`,
    failReason: `${jobId}:failReason`,
    rateLimited: `${jobId}:rateLimited`,
    stopping: `${jobId}:stopping`,
    stopOne: `${jobId}:stopone`,
    paused: `${jobId}:paused`,
    canceled: `${jobId}:canceled`,
    messages: `${uid}:msg`,
    /** Byte offsets into the instance's own files, up to which Redis has them. */
    offsets: `${uid}:offsets`,
  };
}

export type JobKeys = ReturnType<typeof jobKeys>;
