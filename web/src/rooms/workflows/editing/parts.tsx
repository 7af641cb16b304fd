import { ActionIcon, Box, Button, Collapse, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown, IconChevronRight, IconPlus, IconX } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts';
import type { Draft } from './draft';
import { editingTexts } from './editing.texts';
import { literalOf, patternOf } from './patterns';

export type DraftForm = UseFormReturnType<Draft>;
export interface SectionProps {
  readonly form: DraftForm;
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}
/** A part of the editor under its own heading, where the list of parts leads. */
export function Part({ id, title, lead, children }: PartProps) {
  return (
    <Paper
      withBorder
      p="lg"
      radius="md"
      component="section"
      id={id}
      aria-labelledby={`${id}-title`}
      style={{ scrollMarginTop: 72 }}
    >
      <Stack gap="md">
        <Box>
          <Title order={2} id={`${id}-title`}>
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </Box>
        {children}
      </Stack>
    </Paper>
  );
}

interface FoldProps {
  readonly title: string;
  /** What of it is not as usual, shown while it is folded. */
  readonly summary?: string;
  /** Whether it has to be seen: something in it is wrong. */
  readonly isForced?: boolean;
  readonly children: ReactNode;
}
/** Options that most people leave alone. */
export function Fold({ title, summary, isForced = false, children }: FoldProps) {
  const [isOpened, setOpened] = useState(false);
  const id = useId();
  const isOpen = isOpened || isForced;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Box>
      <Group gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          px={4}
          leftSection={<Chevron size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpen)}
        >
          {title}
        </Button>
        {summary && !isOpen && (
          <Text size="xs" c="dimmed">
            {summary}
          </Text>
        )}
      </Group>
      <Collapse id={id} expanded={isOpen} transitionDuration={0}>
        <Stack gap="md" pt="sm">
          {children}
        </Stack>
      </Collapse>
    </Box>
  );
}

interface PatternRowsProps {
  readonly label: string;
  readonly description?: string;
  readonly values: readonly string[];
  readonly error?: ReactNode;
  readonly onChange: (values: string[]) => void;
  /** What stands beside a pattern, such as what it matches. */
  readonly aside?: (pattern: string) => ReactNode;
}
/** A list of patterns, each either a text that an address contains or a regular expression. */
export function PatternRows({ label, description, values, error, onChange, aside }: PatternRowsProps) {
  const say = useTexts(editingTexts);
  const set = (at: number, value: string): void => onChange(values.map((one, i) => (i === at ? value : one)));
  return (
    <Box role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {description && (
        <Text size="xs" c="dimmed" mb={6}>
          {description}
        </Text>
      )}
      <Stack gap={6}>
        {values.map((value, at) => (
          <PatternRow
            key={at}
            number={at + 1}
            label={label}
            value={value}
            onChange={(next) => set(at, next)}
            onRemove={() => onChange(values.filter((_, i) => i !== at))}
            aside={aside?.(value)}
          />
        ))}
      </Stack>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...values, ''])}
      >
        {say('addPattern')}
      </Button>
    </Box>
  );
}

interface PatternRowProps {
  readonly number: number;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onRemove: () => void;
  readonly aside: ReactNode;
}
function PatternRow({ number, label, value, onChange, onRemove, aside }: PatternRowProps) {
  const say = useTexts(editingTexts);
  const [kind, setKind] = useState<'text' | 'regex'>(literalOf(value) === null ? 'regex' : 'text');
  const literal = literalOf(value);
  const isText = kind === 'text' && literal !== null;
  const name = `${label} ${String(number)}`;
  return (
    <Box>
      <Group gap={6} wrap="nowrap">
        <Select
          aria-label={`${name}: ${say('patternKind')}`}
          data={[
            { value: 'text', label: say('kindText') },
            { value: 'regex', label: say('kindRegex') },
          ]}
          value={isText ? 'text' : 'regex'}
          onChange={(next) => {
            if (next === 'text' && literal === null) onChange(patternOf(value));
            setKind(next === 'text' ? 'text' : 'regex');
          }}
          allowDeselect={false}
          w={150}
          style={{ flexShrink: 0 }}
        />
        <TextInput
          aria-label={name}
          value={isText ? literal : value}
          onChange={(event) => onChange(isText ? patternOf(event.currentTarget.value) : event.currentTarget.value)}
          spellCheck={false}
          flex={1}
          {...(isText ? {} : { ff: 'monospace' })}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={say('removePattern', { name })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {aside}
    </Box>
  );
}
