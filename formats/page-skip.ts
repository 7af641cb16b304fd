/** The part of a workflow's config that this reads. */
interface SkippingConfig {
  /** -1, null and absent: no pages are skipped. */
  readonly dedupePagesMinDepth?: number | null | undefined;
}

/** The least depth of pages that are not run when their document is known; Infinity: all pages are run. */
export function skipFromDepth({ dedupePagesMinDepth }: SkippingConfig): number {
  const least = dedupePagesMinDepth ?? -1;
  return least >= 0 ? least : Infinity;
}

/** Whether pages may be skipped. */
export const maySkipPages = (config: SkippingConfig): boolean => skipFromDepth(config) < Infinity;
