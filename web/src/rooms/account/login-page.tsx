import { Navigate } from '@tanstack/react-router';
import { LogInPage } from '../../session/log-in-page';
import { useSession } from '../../session/session';

/** `/login`, where bookmarks of other clients lead. */
export function LoginPage() {
  const { state } = useSession();
  return state === 'in' ? <Navigate to="/" replace /> : <LogInPage />;
}
