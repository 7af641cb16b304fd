import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ACCESS, type Access } from './access.js';

export interface DeclaredHandler {
  readonly controller: new (...args: never[]) => object;
  readonly method: string;
  readonly access: Access | undefined;
}

/** Refuses to start while any route handler declares no access. */
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
        }));
    });
  }

  onApplicationBootstrap(): void {
    const undeclared = this.handlers().filter(({ access }) => !access);
    if (undeclared.length === 0) return;
    const names = undeclared.map(({ controller, method }) => `${controller.name}.${method}`).join(', ');
    throw new Error(`No access declared on: ${names}. Add one of @Public, @RequireUser, @RequireRole, …`);
  }
}
