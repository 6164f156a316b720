import { data } from 'react-router';

/** Handles every URL that no other route matches. */
const throwNotFound = () => {
  throw data(null, { status: 404 });
};
export const loader = throwNotFound;
export const clientLoader = throwNotFound;

export default function NotFound() {
  return null;
}
