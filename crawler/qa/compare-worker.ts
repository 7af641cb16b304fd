import { parentPort } from 'node:worker_threads';
import { screenshotMatch, textMatch } from './compare.js';

export interface CompareRequest {
  readonly id: number;
  readonly view?: [Uint8Array, Uint8Array];
  readonly text?: [string, string];
}

export interface CompareAnswer {
  readonly id: number;
  screenshotMatch?: number;
  textMatch?: number;
}

async function compare({ id, view, text }: CompareRequest): Promise<CompareAnswer> {
  const answer: CompareAnswer = { id };
  if (text) answer.textMatch = textMatch(...text);
  if (view) {
    // A screenshot that can't be decoded matches nothing.
    answer.screenshotMatch = await screenshotMatch(...view).catch(() => 0);
  }
  return answer;
}

parentPort?.on('message', (request: CompareRequest) => {
  void compare(request).then((answer) => parentPort?.postMessage(answer));
});
