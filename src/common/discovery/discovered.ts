import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Found, Mark } from './mark.js';

/** A provider's class or a method of it, either of which can wear marks. */
interface Place {
  readonly target: object;
  /** `Class` or `Class.method`. */
  readonly where: string;
  readonly wearer: () => unknown;
}

/** Finds what decorators have marked among the providers of all rooms, as `@nestjs/schedule` does. */
@Injectable()
export class Discovered {
  /** Read once, because no providers are added after the start. */
  private places: readonly Place[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  /** Classes and methods that wear the mark, those of lower rooms first. Called from `onModuleInit` or later. */
  with<M, T>(mark: Mark<M, T>): Found<M, T>[] {
    this.places ??= this.instances().flatMap((instance) => this.placesOf(instance));
    return this.places.flatMap(({ target, where, wearer }) => mark.foundOn(target, where, wearer as () => T));
  }

  private placesOf(instance: object): Place[] {
    const { constructor } = instance;
    const methods = this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object);
    return [
      { target: constructor, where: constructor.name, wearer: () => instance },
      ...methods.flatMap((name) => {
        const target = (instance as Record<string, (...args: never[]) => unknown>)[name];
        return target ? { target, where: `${constructor.name}.${name}`, wearer: () => target.bind(instance) } : [];
      }),
    ];
  }

  /** Each instance once, in the order in which Nest calls their hooks. */
  private instances(): object[] {
    const lowestFirst = [...this.modules.values()].sort((a, b) => b.distance - a.distance);
    const instances = this.discovery.getProviders({}, lowestFirst).map(({ instance }) => instance as unknown);
    return [...new Set(instances)].filter((one): one is object => typeof one === 'object' && one !== null);
  }
}
