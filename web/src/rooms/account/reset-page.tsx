import { CardPage } from '../../ui/card-page';

export function ResetPage() {
  return <CardPage title="reset">{null}</CardPage>;
}
