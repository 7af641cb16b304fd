import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ACCESS, type Access } from './access.js';
import { keyDemandOf, type KeyDemand } from './key-scopes.js';

export interface DeclaredHandler {
  readonly controller: new (...args: never[]) => object;
  readonly method: string;
  readonly access: Access | undefined;
  /** What API keys need for it; null: nothing says so. */
  readonly keys: KeyDemand | null;
}

/** Refuses to start while any route handler declares no access, or does not say what API keys need for it. */
@Injectable()
export class DeclaredAccessCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  handlers(): DeclaredHandler[] {
    return this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      if (!metatype || !instance) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((method) => Reflect.hasMetadata(METHOD_METADATA, prototype[method] as object))
        .map((method) => ({
          controller: metatype as DeclaredHandler['controller'],
          method,
          access: this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
            prototype[method] as () => unknown,
            metatype as never,
          ]),
          keys: keyDemandOf(metatype as never, prototype[method] as () => unknown),
        }));
    });
  }

  onApplicationBootstrap(): void {
    const handlers = this.handlers();
    const undeclared = namesOf(handlers.filter(({ access }) => !access));
    if (undeclared)
      throw new Error(`No access declared on: ${undeclared}. Add one of @Public, @RequireUser, @RequireRole, …`);
    const unscoped = namesOf(handlers.filter(({ keys }) => !keys));
    if (unscoped) throw new Error(`No scope of API keys for: ${unscoped}. Add @KeyScopeIs, @AnyKey or @KeysMayNot`);
  }
}

const namesOf = (handlers: readonly DeclaredHandler[]): string =>
  handlers.map(({ controller, method }) => `${controller.name}.${method}`).join(', ');
