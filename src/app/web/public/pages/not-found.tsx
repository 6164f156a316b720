import { data } from 'react-router';

/** Handles every URL that no other route matches. */
const load = () => {
  throw data(null, { status: 404 });
};
export const loader = load;
export const clientLoader = load;

export default function NotFound() {
  return null;
}
