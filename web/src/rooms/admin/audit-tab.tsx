import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AuditLog } from '../../ui/audit/audit-log';
import { useAddress, useOrgNames } from './queries';

/** The audit log of all orgs, and of what belongs to none. */
export function AuditTab() {
  const { search, change } = useAddress();
  const orgOf = useOrgNames();
  return (
    <AuditLog
      oid="all"
      search={search}
      onSearch={change}
      orgOf={({ oid }) => {
        const org = orgOf(oid);
        if (!org) return oid ?? '–';
        return (
          <Anchor component={Link} to={`/o/${org.slug}/settings?tab=audit`} size="sm" dir="auto">
            {org.name}
          </Anchor>
        );
      }}
    />
  );
}
