import { gather } from './gather';

export default gather(
  import.meta.glob<Record<string, string>>('../**/texts.de.json', { eager: true, import: 'default' }),
);
