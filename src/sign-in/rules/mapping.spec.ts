import { mapped } from './mapping.js';
import type { MappingRule } from './provider-settings.js';

const rule = (claim: string, value: string): MappingRule => ({ claim, value, gives: { org: 'library', role: 10 } });
const gives = (claim: string, claims: object): boolean =>
  mapped([rule(claim, 'staff')], claims as Record<string, unknown>).roles.size > 0;

it.each([
  ['groups', { groups: ['readers', 'staff'] }],
  ['groups', { groups: 'staff' }],
  ['https://example.org/groups', { 'https://example.org/groups': ['staff'] }],
  ['realm_access.roles', { realm_access: { roles: ['staff'] } }],
  ['a.b', { 'a.b': 'staff', a: { b: 'other' } }],
])('a rule for %s fits %j', (claim, claims) => expect(gives(claim, claims)).toBe(true));

it.each([
  ['groups', {}],
  ['groups', { groups: null }],
  ['groups', { groups: 'staff,readers' }],
  ['groups', { groups: { staff: true } }],
  ['groups', { groups: [['staff']] }],
  ['realm_access.roles', { realm_access: 'staff' }],
  ['constructor.name', { groups: ['staff'] }],
])('a rule for %s does not fit %j', (claim, claims) => expect(gives(claim, claims)).toBe(false));
