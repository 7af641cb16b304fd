/** `20261121064456283` -> `2026-11-21T06:44:56.283Z`, without milliseconds where there are none; null for other texts */
export function isoOfTimestamp(ts: string): string | null {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/.exec(ts) ?? [];
  if (parts.length === 0) return null;
  const [year, month, day, hour, minute, second, ms] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${ms === undefined ? '' : `.${ms}`}Z`;
  return Number.isNaN(Date.parse(iso)) ? null : iso;
}
