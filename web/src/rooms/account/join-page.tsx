import { CardPage } from '../../ui/card-page';

export function JoinPage() {
  return <CardPage title="join">{null}</CardPage>;
}
export function SignUpPage() {
  return <CardPage title="sign-up">{null}</CardPage>;
}
