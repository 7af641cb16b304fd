import { Badge, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { auditTexts } from './audit.texts';

export type AuditEvent = Schemas['AuditEventOut'];

const COLORS: Readonly<Record<AuditEvent['outcome'], string>> = {
  begun: 'blue',
  done: 'green',
  refused: 'yellow',
  failed: 'red',
  unknown: 'gray',
};

export function Outcome({ of }: { readonly of: AuditEvent['outcome'] }) {
  const say = useTexts(auditTexts);
  return (
    <Badge variant="light" color={COLORS[of]} tt="none" fw={500}>
      {say(`outcome_${of}`)}
    </Badge>
  );
}

/** `setOrgReadOnly` → `Set org read only`, `account.loggedIn` → `Logged in`: the API's own word, which is English. */
export function actionWords(action: string): string {
  const words = (action.split('.').at(-1) ?? action)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who acted: their present name, else what they are. */
export function useActorName(): (event: AuditEvent) => string {
  const say = useTexts(auditTexts);
  return ({ actorKind, actorName }) => actorName ?? say(`actor_${actorKind}`);
}

/** What kind of thing was acted on; one without words is named as the API does. */
export function useTargetKind(): (kind: string | null) => string | null {
  const say = useTexts(auditTexts);
  return (kind) => {
    const key = `target_${String(kind)}`;
    return key in auditTexts.english ? say(key as 'target_item') : kind;
  };
}

/** What was acted on, on one line. */
export function Target({ event }: { readonly event: AuditEvent }) {
  const kindOf = useTargetKind();
  if (!event.target) return <>–</>;
  const kind = kindOf(event.targetKind);
  return (
    <Text size="sm" truncate title={event.target}>
      {kind && <>{kind} </>}
      <Text span size="xs" c="dimmed" ff="monospace">
        {event.target}
      </Text>
    </Text>
  );
}
