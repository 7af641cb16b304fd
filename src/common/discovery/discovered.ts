import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Found, Mark } from './mark.js';

/** Finds what decorators have marked among the providers of all rooms, as `@nestjs/schedule` does. */
@Injectable()
export class Discovered {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  /** Classes and methods that wear the mark, those of lower rooms first. Called from `onModuleInit` or later. */
  with<M, T>(mark: Mark<M, T>): Found<M, T>[] {
    return this.instances().flatMap((instance) => {
      const { constructor } = instance;
      const methods = this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object);
      return [
        ...mark.foundOn(constructor, constructor.name, () => instance as T),
        ...methods.flatMap((name) => {
          const method = (instance as Record<string, (...args: never[]) => unknown>)[name];
          return method ? mark.foundOn(method, `${constructor.name}.${name}`, () => method.bind(instance) as T) : [];
        }),
      ];
    });
  }

  /** Each once, in the order in which Nest calls their hooks. */
  private instances(): object[] {
    const lowestFirst = [...this.modules.values()].sort((a, b) => b.distance - a.distance);
    const instances = this.discovery.getProviders({}, lowestFirst).map(({ instance }) => instance as unknown);
    return [...new Set(instances)].filter((one): one is object => typeof one === 'object' && one !== null);
  }
}
