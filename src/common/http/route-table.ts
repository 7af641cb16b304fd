import { Injectable } from '@nestjs/common';
import type { Application, NextFunction, Request, Response } from 'express';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** A route beside the segments of its path, which are compared with those of all others. */
interface Ranked {
  readonly layer: Layer;
  readonly segments: readonly string[];
  readonly varies: readonly boolean[];
}

function ranked(layer: Layer): Ranked {
  const segments = (layer.route?.path ?? '').split('/');
  return { layer, segments, varies: segments.map((segment) => /[:*{]/.test(segment)) };
}

/** Whether `a` comes before `b`: at the first differing segment, `a` has text where `b` has a parameter. */
function precedes(a: Ranked, b: Ranked): boolean {
  const shared = Math.min(a.segments.length, b.segments.length);
  for (let i = 0; i < shared; i++) {
    if (a.varies[i] !== b.varies[i]) return b.varies[i] === true;
    if (!a.varies[i] && a.segments[i] !== b.segments[i]) return false;
  }
  return false;
}

/** Knows the registered routes. It puts literal segments before parameters, and tells which methods a path has. */
@Injectable()
export class RouteTable {
  private layers: Layer[] = [];

  /**
   * Reorders the routes so that `/orgs/all/crawls` wins over `/orgs/:oid/crawls`, whatever order modules load in.
   * Called once, when all routes are registered.
   */
  adopt(app: Application): void {
    const { stack } = (app as unknown as { router: { stack: Layer[] } }).router;
    const positions = stack.flatMap((layer, index) => (isHandlerRoute(layer) ? [index] : []));
    const sorted = insertionSort(positions.map((index) => stack[index] as Layer));
    positions.forEach((position, i) => (stack[position] = sorted[i] as Layer));
    this.layers = sorted;
  }

  /** Upper-case methods registered for a path, sorted. The list is empty for an unknown path. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const layer of this.layers) {
      if (!matches(layer, path)) continue;
      for (const [method, on] of Object.entries(layer.route?.methods ?? {})) if (on) methods.add(method.toUpperCase());
    }
    return [...methods].sort();
  }

  /** Express answers HEAD and OPTIONS on every route by itself. The API does not offer them unless declared. */
  readonly refuseImplicitMethods = (request: Request, response: Response, next: NextFunction): void => {
    const { method } = request;
    const isApi = /^\/(api|wasapi)\//.test(request.path) || request.path.startsWith('/healthz');
    if (!isApi || (method !== 'HEAD' && method !== 'OPTIONS')) return next();
    const allowed = this.methodsOf(request.path);
    if (allowed.includes(method)) return next();
    if (allowed.length === 0) response.status(404).json({ detail: 'Not Found' });
    else response.status(405).set('Allow', allowed.join(', ')).json({ detail: 'Method Not Allowed' });
  };
}

/** Nest adds a not-found route for all methods to the excluded paths. It is no handler's route. */
const isHandlerRoute = ({ route }: Layer): boolean =>
  route !== undefined && Object.keys(route.methods).length === 1 && !route.methods['_all'];

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path whose percent-encoding is broken matches nothing.
    return false;
  }
}

/** Specificity is a partial order, so each route moves only past those it must precede. */
function insertionSort(layers: Layer[]): Layer[] {
  const sorted: Ranked[] = [];
  for (const one of layers.map(ranked)) {
    const at = sorted.findIndex((other) => precedes(one, other));
    if (at < 0) sorted.push(one);
    else sorted.splice(at, 0, one);
  }
  return sorted.map(({ layer }) => layer);
}
