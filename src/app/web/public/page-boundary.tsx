import { Outlet } from 'react-router';
import { ErrorScreen } from './error-screen.tsx';

export default function PageBoundary() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}
