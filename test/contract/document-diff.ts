/** What of two OpenAPI documents clients can notice, compared: prose is left out, order means nothing. */
type Json = unknown;
type Obj = Record<string, Json>;

const PROSE = new Set(['description', 'summary', 'title', 'operationId', 'examples', 'example']);

/** A body of an error that the contract declares without one, or not at all, takes nothing from its clients. */
const ERROR = /^response [45]\d\d$/;

const isObj = (value: Json): value is Obj => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Canonical form: prose dropped, keys and unordered lists sorted. `inProperties` keeps fields named like prose. */
function canonical(value: Json, inProperties = false): Json {
  if (Array.isArray(value)) return value.map((entry) => canonical(entry));
  if (!isObj(value)) return value;
  const { allOf, ...beside } = value;
  // One schema that is wrapped to stand beside something else says what it says alone.
  if (!inProperties && Array.isArray(allOf) && allOf.length === 1 && isObj(allOf[0]))
    return canonical({ ...allOf[0], ...beside });
  // No log-in at all is said by leaving it out or by an empty list.
  const isSilent = (key: string, entry: Json) => PROSE.has(key) || (key === 'security' && same(entry, []));
  const entries = Object.entries(value).filter(([key, entry]) => inProperties || !isSilent(key, entry));
  return Object.fromEntries(
    entries
      .map(([key, entry]): [string, Json] => {
        if ((key === 'required' || key === 'tags') && Array.isArray(entry))
          return [key, [...new Set(entry as string[])].sort()];
        if (key === 'anyOf' && Array.isArray(entry))
          return [key, entry.map((e) => canonical(e)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
        return [key, canonical(entry, key === 'properties')];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const same = (a: Json, b: Json): boolean => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
const show = (value: Json): string => (value === undefined ? 'absent' : JSON.stringify(canonical(value)));

function operationsOf(document: Obj): Map<string, Obj> {
  const operations = new Map<string, Obj>();
  for (const [path, methods] of Object.entries(document['paths'] as Record<string, Obj>))
    for (const [method, operation] of Object.entries(methods))
      operations.set(`${method.toUpperCase()} ${path}`, operation as Obj);
  return operations;
}

const parametersOf = (operation: Obj): Map<string, Json> =>
  new Map(
    ((operation['parameters'] as Obj[] | undefined) ?? []).map((p) => [`${String(p['in'])} ${String(p['name'])}`, p]),
  );

function compareMaps(where: string, ours: Map<string, Json>, theirs: Map<string, Json>): string[] {
  const differences: string[] = [];
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [a, b] = [ours.get(key), theirs.get(key)];
    if (!same(a, b)) differences.push(`${where} · ${key} · ours ${show(a)} · contract ${show(b)}`);
  }
  return differences;
}

const tagsOf = (operation: Obj): string[] => (operation['tags'] as string[] | undefined) ?? [];

/** Ours has one tag, so that generators make it once; it is one of the contract's, where that has any. */
function compareTags(name: string, ours: Obj, theirs: Obj): string[] {
  const [mine, wanted] = [tagsOf(ours), tagsOf(theirs)];
  const isOne = mine.length === 1 && (wanted.length === 0 || wanted.includes(String(mine[0])));
  return isOne ? [] : [`${name} · tags · ours ${mine.join()} · contract ${wanted.join()}`];
}

function compareOperation(name: string, ours: Obj, theirs: Obj): string[] {
  const rest = (operation: Obj): Map<string, Json> =>
    new Map(['security', 'requestBody', 'deprecated'].map((key) => [key, { [key]: operation[key] }]));
  const responses = (operation: Obj): Map<string, Json> =>
    new Map(Object.entries(operation['responses'] as Obj).map(([status, r]) => [`response ${status}`, r]));
  const wanted = responses(theirs);
  const isAddition = (key: string) => ERROR.test(key) && !(wanted.get(key) as Obj | undefined)?.['content'];
  const answered = [...responses(ours)].map(([key, r]): [string, Json] =>
    isAddition(key) ? [key, wanted.get(key)] : [key, r],
  );
  return [
    ...compareMaps(name, parametersOf(ours), parametersOf(theirs)),
    ...compareMaps(name, rest(ours), rest(theirs)),
    ...compareMaps(name, new Map(answered), wanted),
    ...compareTags(name, ours, theirs),
  ];
}

const schemasOf = (document: Obj): Record<string, Obj> =>
  ((document['components'] as Obj)['schemas'] ?? {}) as Record<string, Obj>;

function compareSchemas(ours: Obj, theirs: Obj): string[] {
  const [a, b] = [schemasOf(ours), schemasOf(theirs)];
  return Object.keys(a).flatMap((name) => {
    const theirSchema = b[name];
    if (!theirSchema) return [`schema ${name} · not in the contract`];
    const { properties: ourFields = {}, ...ourRest } = a[name] ?? {};
    const { properties: theirFields = {}, ...theirRest } = theirSchema;
    return [
      ...compareMaps(
        `schema ${name}`,
        new Map(Object.entries(ourFields as Obj)),
        new Map(Object.entries(theirFields as Obj)),
      ),
      ...compareMaps(`schema ${name}`, new Map([['itself', ourRest]]), new Map([['itself', theirRest]])),
    ];
  });
}

/** Ours keeps webhooks among the components, where generators of clients do not look for operations. */
function resolved(document: Obj, item: Json): Json {
  const [, name] = /^#\/components\/pathItems\/(\w+)$/.exec(String((item as Obj)['$ref'])) ?? [];
  if (name === undefined) return item;
  return ((document['components'] as Obj)['pathItems'] as Obj)[name];
}

export interface DocumentComparison {
  /** Operations of the contract that exist. */
  readonly covered: number;
  readonly total: number;
  /** `METHOD path` of contract operations that don't exist. */
  readonly missing: string[];
  /** Each difference in words that are stable as long as it stays the same. */
  readonly differences: string[];
}

export function compareDocuments(ours: Obj, contract: Obj): DocumentComparison {
  const [mine, wanted] = [operationsOf(ours), operationsOf(contract)];
  const missing = [...wanted.keys()].filter((name) => !mine.has(name));
  const differences = [...mine].flatMap(([name, operation]) => {
    const theirs = wanted.get(name);
    return theirs ? compareOperation(name, operation, theirs) : [`${name} · not in the contract`];
  });
  const webhooks = compareMaps(
    'webhooks',
    new Map(Object.entries((ours['webhooks'] ?? {}) as Obj).map(([key, item]) => [key, resolved(ours, item)])),
    new Map(Object.entries((contract['webhooks'] ?? {}) as Obj)),
  );
  return {
    covered: wanted.size - missing.length,
    total: wanted.size,
    missing,
    differences: [...differences, ...webhooks, ...compareSchemas(ours, contract)],
  };
}
