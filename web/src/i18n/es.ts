import { gather } from './gather';

export default gather(
  import.meta.glob<Record<string, string>>('../**/texts.es.json', { eager: true, import: 'default' }),
);
