/** A secret setting: prints as `***` wherever it ends up; `reveal()` is called only where it is used. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  get isSet(): boolean {
    return this.#value !== '';
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }
}
