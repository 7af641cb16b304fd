import { Str, Int } from '../../common/validation/fields.js';

export class HostCount {
  @Str() host!: string;
  @Int() count!: number;
}
