import { InvalidSortBy, InvalidSortDirection } from '../common/pagination/page.js';
import { InputRefused } from '../common/validation/issue.js';
import { approvedValues, spellingsOf, toPageFilter, toPageSort, toQaFilter } from './page-input.js';
import { QaRunMissingForSort, RangeMissing } from './pages.errors.js';

describe('what a page list asks for', () => {
  it('reads the verdict words, any case, and ignores others', () => {
    expect(approvedValues('TRUE, off,None,maybe')).toEqual([true, false, null]);
    expect(approvedValues('maybe')).toEqual([]);
  });

  it('looks for an address as it is stored, however often it was encoded', () => {
    expect(spellingsOf('HTTPS://Example.org')).toEqual(['https://example.org/']);
    expect(spellingsOf('https%3A%2F%2Fexample.org%2Fa')).toContain('https://example.org/a');
    expect(spellingsOf('https://example.org/a%2Fb')).toEqual(['https://example.org/a/b', 'https://example.org/a%2Fb']);
  });

  it('decodes search and prefix once more and keeps what cannot be decoded', () => {
    expect(toPageFilter({ search: 'caf%C3%A9', urlPrefix: 'https://e.org/%zz' })).toMatchObject({
      search: 'café',
      urlPrefix: 'https://e.org/%zz',
    });
  });

  it('honours a QA bound of 0', () => {
    expect(toQaFilter('qa-1', { qaFilterBy: 'textMatch', gt: 0 })).toEqual({
      runId: 'qa-1',
      by: 'textMatch',
      bounds: { gt: 0 },
    });
  });

  it('takes the published name before the older one', () => {
    expect(toQaFilter('qa-1', { qaFilterBy: 'textMatch', filterQABy: 'screenshotMatch', lte: 1 }).by).toBe('textMatch');
    expect(toQaFilter('qa-1', { filterQABy: 'screenshotMatch', lte: 1 }).by).toBe('screenshotMatch');
  });

  it('ignores bounds without a measure, and refuses a measure without bounds or one it does not know', () => {
    expect(toQaFilter('qa-1', { gt: 0.5 })).toEqual({ runId: 'qa-1' });
    expect(() => toQaFilter('qa-1', { filterQABy: 'textMatch' })).toThrow(RangeMissing);
    expect(() => toQaFilter('qa-1', { filterQABy: 'colour', gt: 0 })).toThrow(InputRefused);
  });

  it('orders by a QA measure only within a run', () => {
    expect(toPageSort({ sortBy: 'textMatch', sortDirection: 1 }, true)).toEqual({ field: 'textMatch', direction: 1 });
    expect(() => toPageSort({ sortBy: 'textMatch', sortDirection: 1 }, false)).toThrow(QaRunMissingForSort);
    expect(() => toPageSort({ sortBy: 'size', sortDirection: 1 }, false)).toThrow(InvalidSortBy);
    expect(() => toPageSort({ sortBy: 'url', sortDirection: 2 }, false)).toThrow(InvalidSortDirection);
    expect(toPageSort({ sortBy: '', sortDirection: 9 }, false)).toBeNull();
  });
});
