import { gather } from './gather';

export default gather(
  import.meta.glob<Record<string, string>>('../**/texts.fr.json', { eager: true, import: 'default' }),
);
