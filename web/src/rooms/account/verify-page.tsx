import { CardPage } from '../../ui/card-page';

export function VerifyPage() {
  return <CardPage title="verify">{null}</CardPage>;
}
