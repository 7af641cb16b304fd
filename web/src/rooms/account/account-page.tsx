import { CardPage } from '../../ui/card-page';

export function AccountPage() {
  return <CardPage title="account">{null}</CardPage>;
}
