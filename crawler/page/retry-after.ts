import type { MainDocument } from '../capture/fetch-capture.js';

/** How long the answer asks to wait, ms; undefined when it does not say. */
export function retryAfter(document: MainDocument): number | undefined {
  const value = document.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
