/** Any base: only whether a path leaves it matters. */
const BASE = 'http://service.invalid';
/** What browsers drop from addresses, or read as a slash. */
const READ_OTHERWISE = /[\\\p{Cc}\s]/u;

/** Whether a browser that is sent to the path stays at the service, on a page. */
export function isLocalPath(path: string): boolean {
  if (!path.startsWith('/') || path.startsWith('//') || READ_OTHERWISE.test(path)) return false;
  if (!URL.canParse(path, BASE)) return false;
  const { origin, pathname } = new URL(path, BASE);
  // Dot segments may leave two slashes at the beginning, which a second reading takes for a host.
  return origin === BASE && !pathname.startsWith('//') && !pathname.startsWith('/api/');
}
