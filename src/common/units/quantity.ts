const UNITS: readonly (readonly [string, number])[] = [
  ...['', 'k', 'M', 'G', 'T', 'P', 'E'].map((unit, power) => [unit, 1000 ** power] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, power) => [unit, 1024 ** (power + 1)] as const),
];
const BYTES = /^(\d+(?:\.\d+)?(?:[eE]\d+)?)([kMGTPE]|[KMGTPE]i)?$/;
const CORES = /^(\d+(?:\.\d+)?)(m)?$/;

/** Bytes of a size as Kubernetes writes it; NaN for any other text. */
export function quantityBytes(text: string): number {
  const [, digits, unit = ''] = BYTES.exec(text) ?? [];
  const factor = UNITS.find(([name]) => name === unit)?.[1];
  return digits === undefined || factor === undefined ? Number.NaN : Number(digits) * factor;
}

/** Thousandths of a core, of an amount as Kubernetes writes it (`900m`, `1.5`); NaN for any other text. */
export function quantityMillis(text: string): number {
  const [, digits, unit] = CORES.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (unit ? 1 : 1000));
}
