import type { AuditLine } from './audit-line.js';
import { octetCounted, syslogMessage } from './syslog-message.js';

const line: AuditLine = {
  ...{ action: 'updateOrg', actor: null, actorKind: 'user', address: null, at: '2026-11-25T10:00:00.123000Z' },
  ...{ changed: [], fields: [], id: 'a1', key: null, oid: 'o"1]\\', outcome: 'done', requestId: null },
  ...{ status: 200, target: null, targetKind: null },
};

describe('messages of RFC 5424', () => {
  it('have the entry in their text, and what it is sorted by in structured data', () => {
    expect(syslogMessage(line, 'host one')).toBe(
      '<110>1 2026-11-25T10:00:00.123000Z hostone muniment - updateOrg ' +
        `[muniment@32473 id="a1" oid="o\\"1\\]\\\\" outcome="done"] ${JSON.stringify(line)}`,
    );
  });

  it.each([
    ['refused', '<108>'],
    ['failed', '<107>'],
    ['unknown', '<107>'],
  ] as const)('are as severe as the outcome: %s', (outcome, head) => {
    expect(syslogMessage({ ...line, outcome }, 'h').startsWith(head)).toBe(true);
  });

  it('count bytes, not characters', () => {
    expect(octetCounted('é\n').toString()).toBe('3 é\n');
  });
});
