import { AuditLog } from '../../ui/audit/audit-log';
import { useAddress, usePath } from './queries';

/** The org's audit log. */
export function AuditTab() {
  const { path } = usePath();
  const { search, change } = useAddress();
  return <AuditLog oid={path.oid} search={search} onSearch={change} />;
}
