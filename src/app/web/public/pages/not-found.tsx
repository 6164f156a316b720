import { data } from 'react-router';

/** Every address nobody else answers for, and /404 itself. */
const load = () => {
  throw data(null, { status: 404 });
};
export const loader = load;
export const clientLoader = load;

export default function NotFound() {
  return null;
}
