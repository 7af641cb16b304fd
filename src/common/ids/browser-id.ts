/** Whole id of a profile browser: `prf-<10 hex>`. Contract: archive §8. */
export const BROWSER_ID = /^prf-[0-9a-f]{10}$/;
