import { CardPage } from '../../ui/card-page';

export function AcceptPage() {
  return <CardPage title="accept">{null}</CardPage>;
}
