function versionOf(image: string): readonly number[] | null {
  const tag = /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1];
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(tag ?? '');
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : null;
}

/**
 * Whether a crawler image has at least the version of `minimum` (`name:1.7.0`). Tags that are no version always pass,
 * because a custom build may have any feature. An empty minimum always passes too. Contract: crawling §16.2.
 */
export function isImageAtLeast(image: string | null | undefined, minimum: string): boolean {
  const wanted = versionOf(minimum);
  const found = versionOf(image ?? '');
  if (!wanted || !found) return true;
  const differing = wanted.findIndex((part, i) => part !== found[i]);
  return differing < 0 || (found[differing] as number) > (wanted[differing] as number);
}
