import { readFileSync, writeFileSync } from 'node:fs';
import { apiDocument } from '../../src/console/api-document.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { compareDocuments, type DocumentComparison } from './document-diff.js';

const here = (name: string): URL => new URL(name, import.meta.url);
const readJson = (name: string): unknown => JSON.parse(readFileSync(here(name), 'utf8'));

/** `ledger.json`: every deliberate difference from the contract with its reason. `LEDGER_WRITE=1` adds what is new, to be given its reason by hand. */
interface Ledger {
  missing: Record<string, string>;
  differences: Record<string, string>;
}

describe('the OpenAPI document', () => {
  let running: AppUnderTest;
  let comparison: DocumentComparison;
  const ledger = readJson('ledger.json') as Ledger;

  beforeAll(async () => {
    running = await startApp({ env: { BILLING_ENABLED: 'true' } });
    const contract = readJson('openapi.json') as Record<string, unknown>;
    const ours = JSON.parse(JSON.stringify(apiDocument(running.app))) as Record<string, unknown>;
    comparison = compareDocuments(ours, contract);
    process.stdout.write(`contract: ${comparison.covered} of ${comparison.total} operations\n`);
    if (process.env['LEDGER_WRITE']) writeLedger();
  });
  afterAll(() => running?.close());

  function writeLedger(): void {
    const keep = (known: Record<string, string>, found: string[], reason: string) =>
      Object.fromEntries([...found].sort().map((key) => [key, known[key] ?? reason]));
    const next: Ledger = {
      missing: keep(ledger.missing, comparison.missing, 'not built yet'),
      differences: keep(ledger.differences, comparison.differences, 'TO BE EXPLAINED'),
    };
    writeFileSync(here('ledger.json'), `${JSON.stringify(next, null, 2)}\n`);
    Object.assign(ledger, next);
  }

  it('has every operation of the contract, or the ledger says why not', () => {
    expect(comparison.missing.filter((name) => !(name in ledger.missing))).toEqual([]);
  });

  it('has no ledger entry for an operation that exists', () => {
    expect(Object.keys(ledger.missing).filter((name) => !comparison.missing.includes(name))).toEqual([]);
  });

  it('differs from the contract only where the ledger says why', () => {
    expect(comparison.differences.filter((difference) => !(difference in ledger.differences))).toEqual([]);
  });

  it('has no ledger entry for a difference that is gone', () => {
    expect(Object.keys(ledger.differences).filter((key) => !comparison.differences.includes(key))).toEqual([]);
  });

  it('gives a reason for every entry of the ledger', () => {
    const unexplained = Object.entries({ ...ledger.missing, ...ledger.differences }).filter(
      ([, why]) => why.length < 10,
    );
    expect(unexplained).toEqual([]);
    expect(Object.values(ledger.differences)).not.toContain('TO BE EXPLAINED');
  });

  it('is served at /api/openapi.json, with its two readers', async () => {
    const { status, body } = await running.api.get<{ openapi: string; info: { title: string } }>('/openapi.json');
    expect([status, body.openapi, body.info.title]).toEqual([200, '3.1.0', 'Muniment']);
    for (const reader of ['/api/docs', '/api/redoc']) {
      const answer = await running.api.fetch('GET', reader);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<title>Muniment API</title>');
    }
  });
});
