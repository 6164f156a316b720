import { data } from 'react-router';

/** Every address nobody else answers for, and /404 itself. */
export function loader() {
  throw data(null, { status: 404 });
}
export const clientLoader = loader;

export default function NotFound() {
  return null;
}
