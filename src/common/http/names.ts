import { Injectable } from '@nestjs/common';
import { resolveBySystem, type ResolveName } from '../../../formats/address/resolve.js';

/** How names become addresses. Tests bind names whose addresses change. */
@Injectable()
export class Names {
  readonly resolve: ResolveName = resolveBySystem;
}
