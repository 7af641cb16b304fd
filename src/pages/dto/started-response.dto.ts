import { Str } from '../../common/validation/fields.js';

export class StartedResponse {
  @Str() started!: string;
}
