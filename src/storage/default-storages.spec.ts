import { DefaultStorages } from './default-storages.js';

const entry = (more: object = {}) => ({
  name: 'Main Store',
  access_key: 'a',
  secret_key: 's',
  endpoint_url: 'https://s3.example/bucket/pre/',
  ...more,
});
const parse = (...entries: object[]) => DefaultStorages.parse(entries, '/data/');

describe('DefaultStorages', () => {
  it('is the built-in local storage without a file', () => {
    const defaults = DefaultStorages.load('', '/data/');
    expect([...defaults.byName]).toEqual([['default', null]]);
    expect(defaults.primary).toEqual({ name: 'default', custom: false });
    expect(defaults.replicas).toEqual([]);
  });

  it('makes a single storage the primary one, under its slugified name', () => {
    const defaults = parse(entry());
    expect(defaults.primary).toEqual({ name: 'main-store', custom: false });
    expect(defaults.byName.get('main-store')).toEqual({
      endpointUrl: 'https://s3.example/bucket/pre/',
      accessEndpointUrl: 'https://s3.example/bucket/pre/',
      accessAddressingStyle: 'virtual',
      accessKey: 'a',
      secretKey: 's',
      region: 'us-east-1',
    });
  });

  it('puts a bucket name behind the endpoint', () => {
    const defaults = parse(
      entry({ endpoint_url: 'http://minio:9000', bucket_name: 'btrix', access_endpoint_url: '/data/' }),
    );
    expect(defaults.byName.get('main-store')).toMatchObject({
      endpointUrl: 'http://minio:9000/btrix/',
      accessEndpointUrl: '/data/',
      accessAddressingStyle: 'path',
    });
  });

  it('collects primary and replicas', () => {
    const defaults = parse(
      entry({ name: 'a', is_default_replica: true }),
      entry({ name: 'b', is_default_primary: true }),
      entry({ name: 'c', is_default_replica: true }),
    );
    expect(defaults.primary.name).toBe('b');
    expect(defaults.replicas.map((ref) => ref.name)).toEqual(['a', 'c']);
  });

  it.each([
    ['no entries', [], 'no storage'],
    ['no list', {}, 'no storage'],
    ['null', [null], 'entry 0: name is missing'],
    ['another type', [entry({ type: 'gcs' })], 'entry 0: type is not s3'],
    ['no bucket', [entry({ endpoint_url: 'https://s3.example/' })], 'names no bucket'],
    ['no URL', [entry({ endpoint_url: 'x' })], 'entry 0: Invalid URL'],
    ['a wrong style', [entry({ access_addressing_style: 'other' })], 'access_addressing_style'],
    ['a number as key', [entry({ access_key: 5 })], 'access_key is not a string'],
    ['two of one name', [entry(), entry()], 'entry 1: a second storage named main-store'],
    [
      'two primaries',
      [entry({ name: 'a', is_default_primary: true }), entry({ name: 'b', is_default_primary: true })],
      'more than one storage is_default_primary',
    ],
    ['several without a primary', [entry({ name: 'a' }), entry({ name: 'b' })], 'none is_default_primary'],
  ])('refuses %s', (_label, entries, problem) => {
    expect(() => DefaultStorages.parse(entries, '/data/')).toThrow(problem);
  });

  it('names the file that it cannot read', () => {
    expect(() => DefaultStorages.load('/nowhere/storages.json', '/data/')).toThrow('/nowhere/storages.json');
  });
});
