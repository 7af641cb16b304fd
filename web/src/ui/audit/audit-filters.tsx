import { Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { useTexts } from '../../i18n/texts';
import { NO_AUDIT_SEARCH, OUTCOMES, type AuditSearch } from './audit-search';
import { actionWords } from './audit-words';
import { auditTexts } from './audit.texts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onSearch: (change: AuditSearch) => void;
  /** The person's name, where the list has told it. */
  readonly nameOf: (user: string) => string | undefined;
}

/** Filters by outcome and time; those by person, action and thing are set where an entry is looked at. */
export function AuditFilters({ search, onSearch, nameOf }: AuditFiltersProps) {
  const say = useTexts(auditTexts);
  const { outcome, from, to, user, action, target } = search;
  const pills = [
    { name: 'user', text: user && say('byWhom', { name: nameOf(user) ?? user }) },
    { name: 'action', text: action && actionWords(action) },
    { name: 'target', text: target },
  ] as const;
  const isFiltered = [outcome, from, to, user, action, target].some((one) => one !== undefined);
  return (
    <Group gap="sm">
      <Select
        size="xs"
        aria-label={say('outcome')}
        placeholder={say('anyOutcome')}
        clearable
        data={OUTCOMES.map((value) => ({ value, label: say(`outcome_${value}`) }))}
        value={outcome ?? null}
        onChange={(value) => onSearch({ outcome: OUTCOMES.find((one) => one === value) })}
      />
      {(['from', 'to'] as const).map((name) => (
        <Group key={name} gap={6} wrap="nowrap">
          <label htmlFor={`audit-${name}`} style={{ fontSize: 'var(--mantine-font-size-xs)' }}>
            {say(name)}
          </label>
          <TextInput
            id={`audit-${name}`}
            size="xs"
            type="date"
            value={search[name] ?? ''}
            onChange={({ currentTarget: { value } }) => onSearch({ [name]: value || undefined })}
          />
        </Group>
      ))}
      {pills.map(
        ({ name, text }) =>
          text && (
            <Pill
              key={name}
              withRemoveButton
              maw="100%"
              removeButtonProps={{ 'aria-label': say('unfilter', { filter: text }), 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => onSearch({ [name]: undefined })}
            >
              {text}
            </Pill>
          ),
      )}
      {isFiltered && (
        <Button size="compact-xs" variant="subtle" onClick={() => onSearch(NO_AUDIT_SEARCH)}>
          {say('clear')}
        </Button>
      )}
    </Group>
  );
}
