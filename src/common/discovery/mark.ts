/** A class or method that wears a mark. */
export interface Found<M, T> {
  readonly mark: M;
  /** The class's instance, or the method bound to it. */
  readonly wearer: T;
  /** `Class` or `Class.method`, for messages. */
  readonly where: string;
}

/** Decorates methods that are called as `F`s are. */
export type MethodMarker<F> = <G extends F>(of: object, name: string, method: TypedPropertyDescriptor<G>) => void;

/** What a decorator of the house leaves on classes or methods that are `T`s: an `M`. `Discovered` finds them. */
export class Mark<M, T> {
  private readonly key = Symbol('mark');

  onClass(mark: M): (target: new (...args: never[]) => T) => void {
    return (target) => Reflect.defineMetadata(this.key, mark, target);
  }

  onMethod(mark: M): MethodMarker<T> {
    return (_of, _name, { value }) => Reflect.defineMetadata(this.key, mark, value as object);
  }

  /** The target's mark, or nothing. */
  foundOn(target: object, where: string, wearer: () => T): Found<M, T>[] {
    const mark = Reflect.getOwnMetadata(this.key, target) as M | undefined;
    return mark === undefined ? [] : [{ mark, wearer: wearer(), where }];
  }
}
