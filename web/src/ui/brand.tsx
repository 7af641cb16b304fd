import { Group, Text } from '@mantine/core';

interface BrandProps {
  readonly size?: number;
  /** On a phone the mark stands for the name. */
  readonly isShort?: boolean;
}

/** The mark and the name. */
export function Brand({ size = 26, isShort = false }: BrandProps) {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/docs-logo.svg" width={size} height={size} alt="" />
      <Text fw={650} fz={size * 0.62} {...(isShort ? { visibleFrom: 'xs' } : {})}>
        Muniment
      </Text>
    </Group>
  );
}
