import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { inOrder, oneEach, placed } from './by-name.js';
import { Discovered } from './discovered.js';
import { Mark, type Found } from './mark.js';

const CLASSES = new Mark<string, { greet(): string }>();
const METHODS = new Mark<number, (text: string) => string>();

@CLASSES.onClass('polite')
@Injectable()
class Host {
  greet(): string {
    return 'good day';
  }

  @METHODS.onMethod(2)
  echo(text: string): string {
    return `${text}, ${this.greet()}`;
  }
}

@Injectable()
class Plain extends Host {}

@Module({})
class Low {}
@Module({})
class High {}

const ALIAS = { provide: 'alias', useExisting: Host };
const found = async <M, T>(mark: Mark<M, T>): Promise<Found<M, T>[]> => {
  const low: DynamicModule = { module: Low, providers: [Host, ALIAS], exports: [Host] };
  const high = { module: High, imports: [low, DiscoveryModule], providers: [Discovered, Plain] };
  const app = await NestFactory.createApplicationContext(high, { logger: false });
  return app.get(Discovered).with(mark);
};

describe('what a decorator has marked', () => {
  it('is found once for each class that wears it, not for its heirs', async () => {
    const [one, ...others] = await found(CLASSES);
    expect([one?.mark, one?.where, one?.wearer.greet(), others]).toEqual(['polite', 'Host', 'good day', []]);
  });

  it('is found on methods, bound to their instances, those of lower modules first', async () => {
    const marked = await found(METHODS);
    expect(marked.map(({ where }) => where)).toEqual(['Host.echo', 'Plain.echo']);
    expect(marked[0]?.wearer('hello')).toBe('hello, good day');
  });
});

describe('an order by names', () => {
  const of = (name: string, after?: string | string[]): Found<ReturnType<typeof placed>, null> => ({
    mark: placed(name, after),
    wearer: null,
    where: `The${name}`,
  });
  const names = (...given: ReturnType<typeof of>[]): string[] => inOrder('step', given).map(({ mark }) => mark.name);

  it('puts each after those it names and leaves the rest as it was', () => {
    expect(names(of('c', ['a', 'b']), of('x'), of('b', 'a'), of('a'))).toEqual(['a', 'b', 'c', 'x']);
  });

  it.each([
    ['a name that is missing', [of('b', 'a')], 'step "b" (Theb) comes after "a", which is not there.'],
    ['a circle', [of('a', 'b'), of('b', 'a')], 'step: each waits for the next: a -> b -> a.'],
    ['a name that is there twice', [of('a'), of('a')], 'step "a" is there twice: Thea and Thea.'],
  ])('refuses %s', (_what, given, message) => {
    expect(() => names(...given)).toThrow(message);
  });

  it('knows one by each name, and refuses to go without', () => {
    const wearing = (mark: string, wearer: number) => ({ mark, wearer, where: '' });
    const found = [wearing('a', 1), wearing('b', 2)];
    expect([...oneEach('step', ['b', 'a'], found)]).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    expect(() => oneEach('step', ['a', 'b', 'c'], found)).toThrow('step "c" is not there.');
  });
});
