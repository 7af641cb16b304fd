import { Badge } from '@mantine/core';
import { useTexts } from '../../i18n/texts';
import type { Item } from './queries';
import { qaTexts } from './qa.texts';

/** The grades of an item, from bad to excellent. */
export const GRADES = [1, 2, 3, 4, 5] as const;
export type Grade = (typeof GRADES)[number];
const COLORS: Readonly<Record<Grade, string>> = { 1: 'red', 2: 'orange', 3: 'yellow', 4: 'teal', 5: 'green' };

export const gradeOf = (item: Pick<Item, 'reviewStatus'>): Grade | undefined =>
  GRADES.find((grade) => grade === item.reviewStatus);

/** What reviewers said of the whole item. */
export function Rating({ item }: { readonly item: Item }) {
  const say = useTexts(qaTexts);
  const grade = gradeOf(item);
  if (!grade)
    return (
      <Badge variant="default" tt="none" fw={500}>
        {say('notRated')}
      </Badge>
    );
  return (
    <Badge variant="light" color={COLORS[grade]} tt="none" fw={500}>
      {say(`grade_${grade}`)}
    </Badge>
  );
}
