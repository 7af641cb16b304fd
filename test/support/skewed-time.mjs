/** Loaded into a process (`--import`): its machine's clock is SKEW_MS off. */
const skewMs = Number(process.env.SKEW_MS);
const Machine = globalThis.Date;

globalThis.Date = class Date extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + skewMs);
    else super(...given);
  }

  static now() {
    return Machine.now() + skewMs;
  }
};
