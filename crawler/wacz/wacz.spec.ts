import { waczName } from '../../formats/wacz/wacz-name.js';
import { uniqueName } from './unique-name.js';

describe('the name of a WACZ', () => {
  const id = 'manual-20261121054215-0e138ad6-b8c';

  it('comes from the template', () => {
    const at = '2026-11-21T05:42:15.007Z';
    expect(waczName('@ts-@hostsuffix.wacz', id, 0, at)).toBe('20261121054215007-0e138ad6-b8c-0.wacz');
    expect(waczName('x/@id-@hostname', id, 3, at)).toBe(`x-${id}-crawl-${id}-3.wacz`);
  });

  it('is unique within the job, the instance still last', () => {
    expect(uniqueName('a-0.wacz', new Set())).toBe('a-0.wacz');
    expect(uniqueName('a-0.wacz', new Set(['a-0.wacz']))).toBe('a-1-0.wacz');
    expect(uniqueName('a.wacz', new Set(['a.wacz', 'a-1.wacz']))).toBe('a-2.wacz');
  });
});
