/** A class or method that wears a mark. */
export interface Found<M, T> {
  readonly mark: M;
  /** The class's instance, or the method bound to it. */
  readonly wearer: T;
  /** `Class` or `Class.method`, for messages. */
  readonly where: string;
}

/** A decorator of methods that have the signature `F`. */
export type MethodMarker<F> = <G extends F>(of: object, name: string, method: TypedPropertyDescriptor<G>) => void;

/** A mark `M` that a decorator leaves on classes or methods of type `T`. `Discovered` finds them. */
export class Mark<M, T> {
  private readonly key = Symbol('mark');

  onClass(mark: M): (target: new (...args: never[]) => T) => void {
    return (target) => Reflect.defineMetadata(this.key, mark, target);
  }

  onMethod(mark: M): MethodMarker<T> {
    return (_of, _name, { value }) => Reflect.defineMetadata(this.key, mark, value as object);
  }

  /** The target's mark, or an empty list. */
  foundOn(target: object, where: string, wearer: () => T): Found<M, T>[] {
    const mark = Reflect.getOwnMetadata(this.key, target) as M | undefined;
    return mark === undefined ? [] : [{ mark, wearer: wearer(), where }];
  }
}
