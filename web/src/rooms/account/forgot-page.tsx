import { CardPage } from '../../ui/card-page';

export function ForgotPage() {
  return <CardPage title="forgot">{null}</CardPage>;
}
